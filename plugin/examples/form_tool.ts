/**
 * title: Fill in a form
 * description: Asks the person for what is missing, one field after the other, and for a confirmation at the end.
 */
import type { Helpers } from '@chancery/plugin'

export class Tools {
  /**
   * Asks the user to fill in a form. Use it when you need several facts that only they know.
   * @param title What the form is for.
   * @param fields What to ask for, in order.
   */
  async fill_in_form(
    args: { title: string; fields: string[] },
    { __event_call__: ask, __event_emitter__: emit }: Helpers,
  ): Promise<string> {
    const entered: Record<string, string> = {}
    for (const [index, field] of args.fields.entries()) {
      const message = `${args.title} (${index + 1} of ${args.fields.length})`
      const type = /password|pin|secret/i.test(field) ? 'password' : 'text'
      const { value } = await ask({ type: 'input', data: { title: field, message, placeholder: field, type } })
      if (value === null) return 'The user cancelled the form.'
      entered[field] = value
    }
    const list = Object.keys(entered).join(', ')
    const isSure = await ask({
      type: 'confirmation',
      data: { title: 'Send this form?', message: `${args.title}: ${list}` },
    })
    if (!isSure) return 'The user did not confirm the form.'
    await emit({ type: 'notification', data: { type: 'success', content: 'Form sent' } })
    return JSON.stringify(entered)
  }
}
