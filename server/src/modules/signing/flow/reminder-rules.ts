/** Pure. When the next reminder is due. */

/** A recipient who ignores this many is not written to again. */
export const maxReminders = 10

const dayMs = 86_400_000

export const reminderAfter = (now: Date, days: number | null): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMs)
