const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Whether a folder is named for a language, such as `de`, `pt-BR` or `zh_Hans`, and not `api`. */
export function isLocale(name: string): boolean {
  try {
    return languages.of(name.replaceAll('_', '-')) !== undefined;
  } catch {
    return false;
  }
}
