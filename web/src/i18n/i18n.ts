import { createLanguages } from 'gatehouse-ui/languages';
import { en } from './en';
import { zh } from './zh';

export const { t, hasText, language, chooseLanguage } = createLanguages('gatehouse-language', {
  en,
  zh,
});
