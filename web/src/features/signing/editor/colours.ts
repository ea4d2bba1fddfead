/** Each recipient has a colour. They are dark enough for text on paper, which is white in both themes. */
const colours = ['#2b5fa6', '#2b6240', '#7a4a9e', '#9a5b00', '#0f6b75', '#a0123d', '#5b5346', '#3f3fa8'] as const

export const colourOf = (recipients: readonly { id: string }[], recipientId: string): string => {
  const index = recipients.findIndex(({ id }) => id === recipientId)
  return colours[Math.max(0, index) % colours.length] ?? colours[0]
}
