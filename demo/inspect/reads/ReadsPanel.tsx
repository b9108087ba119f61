import { saver } from "../../store/saver.ts";
import { reported } from "../../ui/failures.ts";
import type { PanelProps } from "../Inspector.tsx";
import { bytes, milliseconds, whole } from "../numbers.ts";
import { Empty, Panel } from "../Panel.tsx";
import { FrameTrial } from "./FrameTrial.tsx";
import { LastRead } from "./LastRead.tsx";
import { useReports } from "./reports.ts";

const SAYS = "What each read took: the rows and bytes that came out of IndexedDB, what was in memory, and where the time went.";

export default function ReadsPanel({ threadId }: PanelProps) {
  const heard = useReports();
  const [last] = heard;
  const thread = threadId === undefined ? undefined : saver.threads.thread(threadId);
  return (
    <Panel says={SAYS}>
      {thread !== undefined && (
        <div className="panel-actions">
          <button type="button" className="button small" onClick={() => reported(thread.values())}>
            Read the whole state
          </button>
          <button type="button" className="button small" onClick={() => reported(thread.slice("messages", { last: 20 }))}>
            Read the last 20 messages
          </button>
        </div>
      )}
      {last === undefined ? <Empty>Nothing was read since this view was opened. Send a message, go back in time, or press a button.</Empty> : <LastRead report={last.report} />}
      {heard.length > 1 && (
        <table className="numbers">
          <caption>The last reads, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Read</th>
              <th scope="col">Rows</th>
              <th scope="col">Bytes</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {heard.map(({ key, report }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{report.method}</code>
                </th>
                <td>{whole.format(report.rows)}</td>
                <td>{bytes(report.bytes)}</td>
                <td>{milliseconds(report.ms.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <FrameTrial />
    </Panel>
  );
}
