// An agent loop without a framework: the model maps the project, opens a directory, and answers. The model is a script, so
// that nothing leaves the machine; put a real API in its place. Usage: node examples/agent-loop.js [DIRECTORY]
import { chatTools } from 'agent-ls/openai';

const call = (name, params) => ({ tool_calls: [{ id: name, function: { name, arguments: JSON.stringify(params) } }] });
const script = [
  call('Tree', { budget: 200 }),
  call('LS', { path: 'src/routes' }),
  { content: 'Orders are handled in src/routes/orders.ts.' },
];
/** In its place: `(await openai.chat.completions.create({ model: 'gpt-5', ...request })).choices[0].message`. */
const reply = async (_request) => ({ role: 'assistant', ...script.shift() });

const ls = await chatTools(process.argv[2] ?? '.');
const messages = [{ role: 'user', content: 'Where are orders handled?' }];

for (let turn = 0; turn < 5; turn++) {
  const message = await reply({ messages, tools: ls.tools });
  messages.push(message);
  if (message.tool_calls === undefined) break;
  for (const toolCall of message.tool_calls) {
    const result = await ls.run(toolCall);
    messages.push(result);
    console.log(`${toolCall.function.name} ${toolCall.function.arguments}\n${result.content}\n`);
  }
}
console.log(messages.at(-1).content);
