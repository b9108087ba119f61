import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
}

export interface Request {
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly messages: readonly Message[]; readonly tools: readonly { function: { name: string } }[] };
}

type Answer = (request: Request, response: ServerResponse) => void;

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/** A small OpenAI-compatible endpoint that answers as the test says, and keeps what it was asked. */
export class Endpoint {
  readonly requests: Request[] = [];
  readonly #server: Server;
  answer: Answer = refuses(500, "no answer was set");

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "localhost", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The endpoint has no port.");
    return `http://localhost:${String(address.port)}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "OPTIONS") {
      response.writeHead(204, CORS).end();
      return;
    }
    let text = "";
    for await (const part of request) text += String(part);
    const asked: Request = { authorization: request.headers.authorization, body: JSON.parse(text) as Request["body"] };
    this.requests.push(asked);
    this.answer(asked, response);
  }
}

const event = (delta: unknown): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

/** Streams the parts of an answer as server-sent events. */
export function streams(...deltas: readonly unknown[]): Answer {
  return (_request, response) => {
    response.writeHead(200, { ...CORS, "content-type": "text/event-stream" });
    for (const delta of deltas) response.write(event(delta));
    response.end("data: [DONE]\n\n");
  };
}

/** Answers in one piece, as an endpoint does that cannot stream. */
export function replies(message: unknown): Answer {
  return (_request, response) => {
    response.writeHead(200, { ...CORS, "content-type": "application/json" });
    response.end(JSON.stringify({ choices: [{ index: 0, message }] }));
  };
}

/** The first answer to the first request, the second to the second, the last to all that follow. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let asked = 0;
  return (request, response) => answers[Math.min(asked++, answers.length - 1)]?.(request, response);
}

export function refuses(status: number, message: string): Answer {
  return (_request, response) => {
    response.writeHead(status, { ...CORS, "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message } }));
  };
}
