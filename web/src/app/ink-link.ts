/** A link inside a sentence. */
export const inkLink = 'font-medium text-ink underline decoration-rule underline-offset-4 hover:decoration-seal'
