/**
 * Rewrites validation messages for people. Both sides validate with the same schemas, so a message may come from the
 * browser or the server: a short one from the contract ("must not be empty") or the library's default text.
 */

/** Shown for an empty field; `Field` replaces it with a sentence that names its label. */
export const missingValue = 'Enter a value.'

const count = (digits: string) => Number(digits).toLocaleString('en')
/** A field without a list of them says what they are. */
export const chooseOption = 'Choose one of the options.'

/** Says the least; a field that knows what is wrong replaces it. */
export const invalidValue = 'This value isn’t valid.'

type Rule = readonly [pattern: RegExp, text: (...groups: string[]) => string]

/** The first match wins. */
const rules: readonly Rule[] = [
  [/^(?:must not be empty|is missing|required)$/i, () => missingValue],
  [/expected .*received undefined$/, () => missingValue],
  [/^Too small: expected string to have >=?[01] characters$/, () => missingValue],
  [/^Too small: expected string to have >=?(\d+) characters$/, (least) => `Use at least ${count(least)} characters.`],
  [/^Too big: expected string to have <=?(\d+) characters$/, (most) => `Use at most ${count(most)} characters.`],
  [/^must be at least (\d+) characters$/, (least) => `Use at least ${count(least)} characters.`],
  [/^must be at most (\d+) characters$/, (most) => `Use at most ${count(most)} characters.`],
  [/^Too small: expected array to have >=?\d+ items?$/, () => 'Add at least one.'],
  [/^Too big: expected array to have <=?(\d+) items?$/, (most) => `Add at most ${count(most)}.`],
  [/^(?:Too small: expected \w+ to be >=?|must be at least )(-?[\d.]+)$/, (least) => `Enter ${least} or more.`],
  [/^(?:Too big: expected \w+ to be <=?|must be at most )(-?[\d.,]+)$/, (most) => `Enter ${most} or less.`],
  [/^must not be negative$/, () => 'Enter 0 or more.'],
  [/expected int\b|must be a whole number/, () => 'Enter a whole number.'],
  [/expected number\b|must be a number/, () => 'Enter a number.'],
  [/^(?:Invalid email address|must be a mail address)$/, () => 'Enter a valid email.'],
  [/^Invalid URL$/, () => 'Enter a valid URL, such as https://example.com.'],
  [/^Invalid UUID$/, () => 'Enter a valid ID.'],
  [/^Invalid ISO (?:date|datetime|time)$/, () => 'Enter a valid date.'],
  [/^Invalid option/, () => chooseOption],
  [/^Unrecognized keys?: (.+)$/, (keys) => `Remove the unknown field ${keys}.`],
  [/^must be a domain$/, () => 'Enter a domain, such as example.com.'],
  [/^must be at most a day$/, () => 'Enter one day (86,400) or less.'],
  [/^must be (an? .+)$/, (what) => `Enter ${what}.`],
  [/^must be (\w+:\/\/.+)$/, (what) => `Enter ${what}.`],
  [/^must hold (.+)$/, (what) => `Include ${what}.`],
  [/^must not hold (.+)$/, (what) => `Remove ${what}.`],
  [/^must have (.+)$/, (what) => `Use ${what}.`],
  [/^must (not )?be (.+)$/, (not, what) => `This must ${not ?? ''}be ${what}.`],
  [/^(?:Invalid|Too small|Too big)\b/, () => invalidValue],
]

const asSentence = (text: string) => {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}

export function problemText(message: string): string {
  const text = message.trim()
  for (const [pattern, rewrite] of rules) {
    const match = pattern.exec(text)
    if (match) return rewrite(...match.slice(1))
  }
  return asSentence(text)
}

/** `Base DN` → `Enter a base DN.`, `Your name` → `Enter your name.`, `Models` → `Enter models.` */
export function missingText(label: string): string {
  const name = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
  if (/^your\b/.test(name)) return `Enter ${name}.`
  if (/password$/.test(name)) return `Enter your ${name}.`
  if (/[^s]s$/.test(name)) return `Enter ${name}.`
  return `Enter ${/^(?:[aeio]|API\b|ID\b)/.test(name) ? 'an' : 'a'} ${name}.`
}
