import { expect, it } from 'vitest';
import { useLoad } from './use-load';

it('useLoad ignores a late response to an earlier request', async () => {
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
