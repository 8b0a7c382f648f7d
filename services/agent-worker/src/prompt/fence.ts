const ourTags = /<(\/?)(passage|selection|conversation|question|summary)\b/gi;

/**
 * Quoted text between tags that carry the run's own key, which nobody who wrote a book or a question can know. Tags of
 * ours inside the text are broken all the same, so that it cannot seem to close its quotation.
 */
export function fence(tag: string, key: string, text: string): string {
  return `<${tag} key="${key}">\n${text.replaceAll(ourTags, '<$1 $2')}\n</${tag} key="${key}">`;
}
