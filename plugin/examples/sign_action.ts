/**
 * title: Send for signature
 * description: Turns a reply into a document: its text goes into a signing template, which is sent to one person.
 * tools: builtin:signing
 */
import type { Body, Helpers } from '@chancery/plugin'

interface UserValves {
  template_id?: string
  role: string
  field: string
}

export class Action {
  static UserValves = {
    template_id: { type: 'string', title: 'Template ID', description: 'One of your signing templates.' },
    role: { type: 'string', default: 'Signer', title: 'Role', description: 'The role of the template that signs.' },
    field: { type: 'string', default: 'Text', title: 'Field', description: 'The text field that takes the reply.' },
  }

  async action(
    body: Body,
    { __event_call__: ask, __event_emitter__: emit, __tools__, __user__ }: Helpers<object, UserValves>,
  ): Promise<string> {
    const { template_id, role, field } = __user__.valves
    if (!template_id) return 'Choose a template first: Account, Plugins, Send for signature.'
    const text = String(body.messages.at(-1)?.content ?? '').trim()
    const { value: name } = await ask({ type: 'input', data: { title: 'Who signs?', placeholder: 'Name' } })
    if (!name) return 'Nothing was sent.'
    const { value: email } = await ask({ type: 'input', data: { title: `Where is ${name}?`, placeholder: 'Email' } })
    if (!email) return 'Nothing was sent.'
    const message = `${name} (${email}) gets an email with the document.`
    if (!(await ask({ type: 'confirmation', data: { title: 'Send for signature?', message } })))
      return 'Nothing was sent.'
    const sent = await __tools__.send_for_signature?.call({
      template_id,
      recipients: [{ role, name, email }],
      values: { [field]: text },
    })
    if (!sent) return 'Sending documents is not available here.'
    const { title } = JSON.parse(sent.content) as { title: string }
    await emit({ type: 'status', data: { description: `Sent “${title}” to ${name} for signature`, done: true } })
    return `Sent to ${name}`
  }
}
