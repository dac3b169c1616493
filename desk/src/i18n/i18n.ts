import { createI18n } from 'vue-i18n';
import { en } from './en';
import { zh } from './zh';

const KEY = 'gatehouse-desk-language';
export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export const i18n = createI18n({
  legacy: false,
  locale: firstLanguage(),
  fallbackLocale: 'en',
  messages: { en, zh },
});
document.documentElement.lang = tagOf(language());

export function language(): Language {
  return i18n.global.locale.value;
}

export function chooseLanguage(chosen: Language): void {
  i18n.global.locale.value = chosen;
  document.documentElement.lang = tagOf(chosen);
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Where storage is blocked, the choice lasts for this page.
  }
}

export function tagOf(chosen: Language): string {
  return chosen === 'zh' ? 'zh-CN' : 'en';
}

function firstLanguage(): Language {
  const wishes = [remembered(), ...navigator.languages];
  const known = wishes.map((wish) => LANGUAGES.find((own) => wish?.toLowerCase().startsWith(own)));
  return known.find((own) => own !== undefined) ?? 'en';
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
