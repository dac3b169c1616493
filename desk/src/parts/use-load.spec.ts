import { expect, it } from 'vitest';
import { useLoad } from './use-load';

it('a late answer of an earlier request does not replace a newer one', async () => {
  const answers: Array<(text: string) => void> = [];
  const { data, load, refresh } = useLoad(
    () => new Promise<string>((resolve) => answers.push(resolve)),
  );
  const requests = [load(), refresh()];
  answers[1]!('newer');
  answers[0]!('from before the act');
  await Promise.all(requests);
  expect(data.value).toBe('newer');
});
