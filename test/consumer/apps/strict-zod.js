/* LangChain's zod tries `new Function` when it is loaded, unless it is told not to: a strict policy refuses that, and reports it. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
