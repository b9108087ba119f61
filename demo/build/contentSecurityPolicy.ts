import type { Plugin } from "vite";

/** An endpoint may be anywhere, and a component library brings its styles as elements. All else is the page's own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' https: http:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types demo",
].join("; ");

/** Puts the policy into the built page, so that any static host will do, and on all that the preview serves, workers too. */
export function contentSecurityPolicy(): Plugin {
  return {
    name: "demo:content-security-policy",
    config: () => ({ preview: { headers: { "content-security-policy": POLICY } } }),
    transformIndexHtml: {
      order: "post",
      handler: (_html, { server }) => (server === undefined ? [{ tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: POLICY }, injectTo: "head-prepend" as const }] : []),
    },
  };
}
