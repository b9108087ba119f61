/** What went wrong with the endpoint, as a sentence for the reader. The name survives in the checkpoint. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
}

async function said(response: Response): Promise<string> {
  const body = (await response.text().catch(() => "")).slice(0, 2000);
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? ` It said: “${error.message}”` : "";
  } catch {
    return "";
  }
}

export const unreachable = (url: string, cause: unknown): EndpointError =>
  new EndpointError(`${new URL(url).host} does not answer. It may be down, you may be offline, or it may not allow requests from this page (CORS).`, { cause });

export const notUnderstood = (cause?: unknown): EndpointError =>
  new EndpointError("The endpoint answered, but not as an OpenAI-compatible chat endpoint does. Check the base URL.", { cause });

export async function refusal(response: Response, model: string): Promise<EndpointError> {
  const reply = await said(response);
  const { status } = response;
  if (status === 401 || status === 403) return new EndpointError(`The endpoint refused the API key (${String(status)}).${reply}`);
  if (status === 404) return new EndpointError(`The endpoint knows no such address, or no model called “${model}” (404).${reply}`);
  if (status === 429) return new EndpointError(`The endpoint asks for a pause between requests (429).${reply}`);
  return new EndpointError(`The endpoint failed with status ${String(status)}.${reply}`);
}
