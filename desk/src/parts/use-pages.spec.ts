import { describe, expect, it } from 'vitest';
import { usePages } from './use-pages';

describe('usePages', () => {
  it('ignores a response to an earlier query', async () => {
    const pageOf = (item: string, searchedTo: string) => ({
      items: [item],
      next: null,
      searchedTo,
    });
    let answer!: (page: ReturnType<typeof pageOf>) => void;
    const late = new Promise<ReturnType<typeof pageOf>>((resolve) => (answer = resolve));
    const answers = [late, pageOf('new', 'noon')];
    const { items, last, load } = usePages<string, { searchedTo: string }>(async () =>
      answers.shift()!,
    );
    const first = load();
    await load();
    answer(pageOf('old', 'dawn'));
    await first;
    expect(items.value).toEqual(['new']);
    expect(last.value?.searchedTo).toBe('noon');
  });
});
