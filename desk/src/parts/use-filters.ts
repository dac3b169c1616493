import { reactive, shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/**
 * Keeps the filters of a list in the URL, so that the list can be shared and survives a reload.
 * `defaultsFor` changes the defaults that depend on other filters.
 */
export function useFilters<N extends string>(
  defaults: Record<N, string>,
  defaultsFor: (values: Record<N, string>) => Partial<Record<N, string>> = () => ({}),
) {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const names = Object.keys(defaults) as N[];
  const filters = reactive({ ...defaults }) as Record<N, string>;
  /** Holds the filters of the displayed list. `filters` may already contain the operator's next search. */
  const applied = shallowRef<Record<N, string>>({ ...defaults });
  let load = (): unknown => undefined;

  const defaultsOf = (values: Record<N, string>): Record<N, string> => ({
    ...defaults,
    ...defaultsFor(values),
  });

  function read(): void {
    const given = Object.fromEntries(
      Object.entries(route.query).filter(([, value]) => typeof value === 'string'),
    ) as Partial<Record<N, string>>;
    const values = { ...defaultsOf({ ...defaults, ...given }), ...given };
    for (const name of names) {
      const value = values[name];
      if (!isTyped(name)) filters[name] = value;
      applied.value = { ...applied.value, [name]: value };
    }
  }

  /** A page that loads late must not overwrite a filter that the operator is editing. */
  const isTyped = (name: N) =>
    filters[name] !== applied.value[name] &&
    document.activeElement?.matches(`.filters [name="${name}"]`) === true;

  function apply(): void {
    const [before, after] = [defaultsOf(applied.value), defaultsOf(filters)];
    // A filter that still has its default follows the other filters.
    for (const name of names) if (filters[name] === before[name]) filters[name] = after[name];
    const given = names.filter((name) => filters[name].trim() !== after[name]);
    const query = Object.fromEntries(given.map((name) => [name, filters[name].trim()]));
    void router.push({ path, query });
    // If the URL does not change, the list has to be reloaded here.
    if (
      given.length === Object.keys(route.query).length &&
      given.every((name) => route.query[name] === query[name])
    )
      void load();
  }

  /** Loads the list now and whenever the URL changes. */
  function follow(list: () => unknown): void {
    load = list;
    watch(
      () => route.query,
      () => {
        if (route.path !== path) return;
        read();
        void list();
      },
      { immediate: true },
    );
  }

  return { filters, applied: () => applied.value, apply, follow };
}
