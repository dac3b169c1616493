import { reactive, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** What a list is narrowed to. It stands in the address, so that it can be sent to a colleague and survives a reload. */
export function useFilters<N extends string>(defaults: Record<N, string>) {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const names = Object.keys(defaults) as N[];
  const filters = reactive({ ...defaults }) as Record<N, string>;
  let load = (): unknown => undefined;

  function read(): void {
    for (const name of names) {
      const given = route.query[name];
      filters[name] = typeof given === 'string' ? given : defaults[name];
    }
  }

  function apply(): void {
    const given = names.filter((name) => filters[name].trim() !== defaults[name]);
    const query = Object.fromEntries(given.map((name) => [name, filters[name].trim()]));
    void router.push({ path, query });
    // The same once more: read it anew.
    if (
      given.length === Object.keys(route.query).length &&
      given.every((name) => route.query[name] === query[name])
    )
      void load();
  }

  /** Reads the list now and whenever the address says something else. */
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

  return { filters, apply, follow };
}
