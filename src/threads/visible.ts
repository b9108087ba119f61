/** What LangGraph keeps for itself among the channels: its inputs, edges and tasks. */
export function isInternal(channel: string): boolean {
  return channel.startsWith("__") || channel.startsWith("branch:");
}
