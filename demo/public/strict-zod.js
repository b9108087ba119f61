// Said before zod loads: else it tries whether it may compile code, which the page's policy forbids and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
