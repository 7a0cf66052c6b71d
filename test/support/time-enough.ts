/**
 * Asks with a time limit that grows until there is an answer that `isEnough`. How long the work before the limit takes
 * depends on how busy the machine is; what is tested is what happens at the limit.
 */
export async function withTimeEnough<Answer>(
  timeLimit: number,
  ask: (timeLimit: number) => Promise<Answer>,
  isEnough: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let limit = timeLimit; limit < 20_000; limit *= 4) {
    const answer = await ask(limit).catch(() => null);
    if (answer !== null && isEnough(answer)) return answer;
  }
  return ask(30_000);
}
