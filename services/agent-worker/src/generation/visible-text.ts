/** Blanks, control and format characters, those that are drawn as nothing, and the empty Braille pattern. */
const invisible = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const hasVisibleText = (text: string): boolean => !invisible.test(text);
