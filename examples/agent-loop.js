// An agent loop of the AI SDK: the model maps the project, opens a directory, and answers. The model is a script, so that
// nothing leaves the machine; put a real one in its place. Usage: node examples/agent-loop.js [DIRECTORY]
import { tools } from 'agent-ls/ai-sdk';
import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };
const call = (toolName, input) => ({
  content: [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' },
  usage,
  warnings: [],
});
const answer = (text) => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop' },
  usage,
  warnings: [],
});

const model = new MockLanguageModelV4({
  doGenerate: [
    call('Tree', { budget: 200 }),
    call('LS', { path: 'src/routes' }),
    answer('Orders are handled in src/routes/orders.ts.'),
  ],
});

const { text, steps } = await generateText({
  model,
  prompt: 'Where are orders handled?',
  tools: await tools(process.argv[2] ?? '.'),
  stopWhen: isStepCount(5),
});

for (const { toolResults } of steps) {
  for (const { toolName, input, output } of toolResults)
    console.log(`${toolName} ${JSON.stringify(input)}\n${output}\n`);
}
console.log(text);
