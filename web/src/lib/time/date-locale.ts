/** English with the date conventions of the reader's region: `en-US`, `en-GB`, `en-DE`. */
const { region } = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale).maximize()

export const dateLocale = region === undefined ? 'en' : `en-${region}`
