/** The language of a tag, without its region: "en-au" is en, "pt_BR" is pt. */
export function primaryLanguage(tag: string): string {
  const language = tag.trim().split(/[-_]/)[0]!.toLowerCase();
  return language === '' ? 'unknown' : language;
}
