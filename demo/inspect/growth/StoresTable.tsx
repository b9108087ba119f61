import type { Usage } from "langgraph-checkpoint-indexeddb/threads";
import { bytes } from "../numbers.ts";

export function StoresTable({ usage: { content, bookkeeping, writes, checkpoints, copies } }: { readonly usage: Usage }) {
  const rows = [
    { store: "content", holds: "Messages and other values, each once", size: content },
    { store: "checkpoints", holds: "What each step’s state is made of", size: bookkeeping - writes },
    { store: "writes, blocks", holds: "Which task wrote what", size: writes },
  ];
  return (
    <table className="numbers">
      <caption>By store</caption>
      <thead>
        <tr>
          <th scope="col">Store</th>
          <th scope="col">Bytes</th>
          <th scope="col">A step</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ store, holds, size }) => (
          <tr key={store}>
            <th scope="row">
              {store} <small>{holds}</small>
            </th>
            <td>{bytes(size)}</td>
            <td>{bytes(size / checkpoints)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Together</th>
          <td>{bytes(content + bookkeeping)}</td>
          <td>{bytes((content + bookkeeping) / checkpoints)}</td>
        </tr>
        <tr>
          <th scope="row">
            Whole copies <small>Not stored: for comparison</small>
          </th>
          <td>{bytes(copies)}</td>
          <td>{bytes(copies / checkpoints)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
