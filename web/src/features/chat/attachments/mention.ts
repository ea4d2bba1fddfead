/** `#name` at the end of the text refers to a file or collection. Pure. */

export const mentionSign = '#'
const mark = `${mentionSign}([^\\s${mentionSign}]{0,60})$`
const pattern = new RegExp(`(?:^|\\s)${mark}`)
const ending = new RegExp(mark)

/** The text after the mark; undefined if the text doesn't end in a mention. */
export const mentionIn = (text: string): string | undefined => pattern.exec(text)?.[1]

/** The text without the mention: the reference is shown as a chip instead. */
export const withoutMention = (text: string): string => text.replace(ending, '')
