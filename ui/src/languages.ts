import { ref } from 'vue';

export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
type Value = string | number | null | undefined;

/**
 * Returns one site's texts in the visitor's language, which the browser remembers under `key`. The site does not
 * use vue-i18n, which is larger than Vue itself, because the texts need only named placeholders.
 */
export function createLanguages<Words extends object>(
  key: string,
  messages: Record<Language, Words>,
) {
  const chosen = ref(firstLanguage(key));
  document.documentElement.lang = tagOf(chosen.value);

  function textOf(path: string): unknown {
    return path
      .split('.')
      .reduce<unknown>(
        (words, name) => (words as Record<string, unknown> | undefined)?.[name],
        messages[chosen.value],
      );
  }

  /** Returns a text with its placeholders, such as `{name}`, filled in. */
  function t(path: string, values: Record<string, Value> = {}): string {
    const text = textOf(path);
    if (typeof text !== 'string') return path;
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  }

  const hasText = (path: string) => typeof textOf(path) === 'string';
  const language = () => chosen.value;

  function chooseLanguage(wanted: Language): void {
    chosen.value = wanted;
    document.documentElement.lang = tagOf(wanted);
    try {
      localStorage.setItem(key, wanted);
    } catch {
      // If storage is blocked, the choice applies only to this page.
    }
  }

  return { t, hasText, language, chooseLanguage };
}

export function tagOf(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

function firstLanguage(key: string): Language {
  const preferred = [remembered(key), ...navigator.languages];
  const known = preferred.map((tag) => LANGUAGES.find((own) => tag?.toLowerCase().startsWith(own)));
  return known.find((own) => own !== undefined) ?? 'en';
}

function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
