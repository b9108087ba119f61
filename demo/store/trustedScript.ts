interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): unknown };
}

const { trustedTypes } = globalThis as { trustedTypes?: Policies };

/** Only scripts of this origin. */
const policy = trustedTypes?.createPolicy("demo", {
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is not a script of this page.`);
    return url;
  },
});

/** What `new Worker` and service workers take where Trusted Types are required, and the URL itself elsewhere. */
export const trustedScriptUrl = (url: string): URL => (policy?.createScriptURL(url) ?? url) as URL;
