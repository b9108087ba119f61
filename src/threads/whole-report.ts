import type { Checked, Engine, Finding, NoteCode, ProblemCode, RepairReply, RepairReport, VerifyReply, VerifyReport } from "../engine/index.ts";

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

export async function wholeRepair(engine: Engine): Promise<RepairReport> {
  const repaired: string[] = [];
  const dropped: Finding<ProblemCode>[] = [];
  let next: RepairReply["next"];
  do {
    const page: RepairReply = await engine.repair(next === undefined ? {} : { after: next });
    repaired.push(...page.repaired);
    dropped.push(...page.dropped);
    next = page.next;
  } while (next !== undefined);
  return { repaired, dropped };
}
