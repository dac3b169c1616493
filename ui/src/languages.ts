import { createI18n } from 'vue-i18n';

export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of one site, and the language that its visitor chose. The browser remembers the choice under `key`. */
export function createLanguages<Words>(key: string, messages: Record<Language, Words>) {
  const i18n = createI18n<[Words], Language, false>({
    legacy: false,
    locale: firstLanguage(key),
    fallbackLocale: 'en',
    messages,
  });
  document.documentElement.lang = tagOf(language());

  function language(): Language {
    return i18n.global.locale.value;
  }

  function chooseLanguage(chosen: Language): void {
    i18n.global.locale.value = chosen;
    document.documentElement.lang = tagOf(chosen);
    try {
      localStorage.setItem(key, chosen);
    } catch {
      // Where storage is blocked, the choice lasts for this page.
    }
  }

  return { i18n, language, chooseLanguage };
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
