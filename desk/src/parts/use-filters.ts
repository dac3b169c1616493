import { reactive, shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Keeps the filters of a list in the URL, so that the list can be shared and survives a reload. */
export function useFilters<N extends string>(defaults: Record<N, string>) {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const names = Object.keys(defaults) as N[];
  const filters = reactive({ ...defaults }) as Record<N, string>;
  /** The list uses these filters, whatever the operator is typing for the next search. */
  const applied = shallowRef<Record<N, string>>({ ...defaults });
  let load = (): unknown => undefined;

  function read(): void {
    for (const name of names) {
      const given = route.query[name];
      const value = typeof given === 'string' ? given : defaults[name];
      if (!isTyped(name)) filters[name] = value;
      applied.value = { ...applied.value, [name]: value };
    }
  }

  /** A page that loads late must not overwrite a filter that the operator is editing. */
  const isTyped = (name: N) =>
    filters[name] !== applied.value[name] &&
    document.activeElement?.matches(`.filters [name="${name}"]`) === true;

  function apply(): void {
    const given = names.filter((name) => filters[name].trim() !== defaults[name]);
    const query = Object.fromEntries(given.map((name) => [name, filters[name].trim()]));
    void router.push({ path, query });
    // The URL is unchanged, so the list is reloaded.
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
