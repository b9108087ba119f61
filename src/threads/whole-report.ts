import type { Checked, Engine, Finding, NoteCode, ProblemCode, VerifyReply, VerifyReport } from "../engine/index.ts";

/** The engine looks at one thread at a time. */
export async function wholeReport(engine: Engine): Promise<VerifyReport> {
  const checked = { threads: 0, checkpoints: 0, writes: 0, elements: 0, bytes: 0 };
  const problems: Finding<ProblemCode>[] = [];
  const notes: Finding<NoteCode>[] = [];
  let next: VerifyReply["next"];
  do {
    const page: VerifyReply = await engine.verify(next === undefined ? {} : { after: next });
    for (const each of Object.keys(checked) as (keyof Checked)[]) checked[each] += page.checked[each];
    problems.push(...page.problems);
    notes.push(...page.notes);
    next = page.next;
  } while (next !== undefined);
  return { checked, problems, notes };
}
