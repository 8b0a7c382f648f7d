const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Whether a folder name is a language, such as `de`, `pt-BR` or `zh_Hans`, but not `api`. */
export function isLocale(name: string): boolean {
  try {
    return languages.of(name.replaceAll('_', '-')) !== undefined;
  } catch {
    return false;
  }
}
