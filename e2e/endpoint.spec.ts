import { inTurn, refuses, replies, streams } from "./endpoint.ts";
import { expect, test } from "./withEndpoint.ts";

const callOf = (id: string, name: string, args: unknown) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } });

test("a streamed answer with a tool call, whole again after a reload", async ({ chat, endpoint }) => {
  endpoint.answer = inTurn(
    streams(
      { tool_calls: [{ index: 0, id: "call-1", function: { name: "calculate", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"expressi' } }] },
      { tool_calls: [{ index: 0, function: { arguments: 'on":"12 * 12"}' } }] },
    ),
    streams({ content: "A gross is " }, { content: "**144**." }),
  );
  await chat.say("What is a gross?");
  await expect(chat.answers.last()).toHaveText("A gross is 144.");
  await chat.reload();
  await expect(chat.answers.last()).toHaveText("A gross is 144.");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();

  expect(endpoint.requests[0]?.authorization).toBe("Bearer secret");
  expect(endpoint.requests[0]?.body.model).toBe("test-model");
  expect(endpoint.requests[0]?.body.tools.map((tool) => tool.function.name)).toContain("save_note");
  expect(endpoint.requests[1]?.body.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "call-1", content: "144" });
});

test("an endpoint that does not stream, and an approval before its effect", async ({ chat, endpoint }) => {
  endpoint.answer = replies({ role: "assistant", content: null, tool_calls: [callOf("call-1", "save_note", { text: "feed the cat" })] });
  await chat.say("Do not let me forget the cat");
  await expect(chat.approval).toContainText("feed the cat");
  await chat.reload();
  endpoint.answer = replies({ role: "assistant", content: "I noted it." });
  await chat.approval.getByRole("button", { name: "Save note" }).click();
  await expect(chat.answers.last()).toHaveText("I noted it.");
});

test.describe("an endpoint that fails", () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test("a refused key is a sentence with a way out, also after a reload", async ({ chat, endpoint, page }) => {
    endpoint.answer = refuses(401, "Incorrect API key provided.");
    await chat.say("Hello there");
    const problem = page.getByRole("alert");
    await expect(problem).toContainText("refused the API key (401). It said: “Incorrect API key provided.”");
    await chat.reload();
    await expect(problem).toContainText("refused the API key");
    expect(endpoint.requests).toHaveLength(1);

    endpoint.answer = streams({ content: "Good morning." });
    await page.getByRole("button", { name: "Open settings" }).click();
    await page.getByLabel("API key").fill("better secret");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Try again" }).click();

    await expect(chat.answers.last()).toHaveText("Good morning.");
    await expect(problem).toBeHidden();
    expect(endpoint.requests[1]?.authorization).toBe("Bearer better secret");
    await expect(chat.said).toHaveText(["Hello there"]);
  });

  test("nobody answers at the address", async ({ chat, endpoint, page }) => {
    await endpoint.close();
    await chat.say("Hello there");
    await expect(page.getByRole("alert")).toContainText("does not answer");
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    await expect(chat.said).toHaveText(["Hello there"]);
  });

  test("something else answers at the address", async ({ chat, endpoint, page }) => {
    endpoint.answer = (_request, response) => response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/html" }).end("<h1>Hi</h1>");
    await chat.say("Hello there");
    await expect(page.getByRole("alert")).toContainText("not as an OpenAI-compatible chat endpoint");
  });
});

test("no address at all leads to the settings", async ({ chat, page }) => {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "OpenAI-compatible endpoint" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("No endpoint is set up yet.")).toBeVisible();
  await chat.say("Hello there");
  await expect(page.getByRole("alert")).toContainText("Give its base URL in the settings.");
  await page.getByRole("alert").getByRole("button", { name: "Open settings" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
});
