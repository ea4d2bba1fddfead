/** `send_for_signature`: a model or a workflow sends a template to people, as the person it acts for. */
import { FieldValue, SigningLanguage } from '@chancery/contract/signing.ts'
import { EmailAddress, line, PersonName } from '@chancery/contract/text.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'
import type { SigningContext } from '../context.ts'
import { withDocument } from '../documents/with-document.ts'
import { listFieldsUnscoped } from '../queries/fields.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { instantiateAndSend, type Use } from './use-template.ts'

const Arguments = z.strictObject({
  template_id: z.uuid().describe('The template to send.'),
  title: line(200).optional().describe("The document's title; the template's without it."),
  recipients: z
    .array(
      z.strictObject({
        role: z.string().max(120).describe("The name of one of the template's roles."),
        name: PersonName,
        email: EmailAddress,
        language: SigningLanguage.optional(),
      }),
    )
    .max(100)
    .describe('One person for every role of the template.'),
  values: z
    .record(z.string(), FieldValue)
    .optional()
    .describe('Values that are filled in from the start, by the labels of the fields.'),
  expires_in_days: z.number().int().min(1).max(365).optional(),
  correlation_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("What the document's events are correlated by; the document's ID without it."),
})
type Arguments = z.infer<typeof Arguments>

export const sendTool = (context: SigningContext): ToolSource =>
  builtinSource({
    id: 'builtin:signing',
    name: 'Send for signature',
    description: 'Sends a signing template to people by email.',
    isFor: (actor) => actor.kind === 'user',
    tools: [
      {
        name: 'send_for_signature',
        description: 'Sends a signing template to people by email, and returns the ID of the document.',
        parameters: z.toJSONSchema(Arguments, { io: 'input' }),
        run: async (args, { actor }) => {
          const parsed = Arguments.safeParse(args)
          if (!parsed.success)
            throw failed(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
          return { content: JSON.stringify(await send(context, actor, parsed.data)) }
        },
      },
    ],
  })

const failed = (problems: readonly string[]) => new AppError('tool_failed', { detail: problems.join(' ') })

/** The same checks as by hand: an ended trial, an unproven address, the plan, every rule of the template. */
const send = async (context: SigningContext, actor: Actor, args: Arguments) => {
  const { config, db } = context.kernel
  if (config.SVC_REQUIRE_VERIFIED_EMAIL && !actor.emailVerified) throw new AppError('email_not_verified')
  await context.organizations.requireWritable(db, actor)
  const from = { ip: '', userAgent: 'send_for_signature' }
  const change = { actor, id: args.template_id, from, kind: 'TEMPLATE' } as const
  const { id, title } = await withDocument(context, change, async (tx, template) => {
    const request = requestOf(args, {
      roles: await listRecipientsUnscoped(tx, template.id),
      fields: await listFieldsUnscoped(tx, template.id),
      now: context.kernel.clock.now(),
    })
    const by = { kind: 'user', actor, from } as const
    return instantiateAndSend(context, tx, { template, maker: actor, by, request, correlationId: args.correlation_id })
  })
  context.bus.wake()
  return { document_id: id, title, state: 'SENT' }
}

interface Template {
  roles: readonly { id: string; name: string }[]
  fields: readonly { id: string; label: string | null }[]
  now: Date
}

/** Names become ids; a name that the template does not have is refused here. */
const requestOf = (args: Arguments, { roles, fields, now }: Template): Use['request'] => {
  const problems: string[] = []
  const recipients = args.recipients.flatMap(({ role, ...person }) => {
    const found = roles.find(({ name }) => name.toLowerCase() === role.trim().toLowerCase())
    if (!found)
      problems.push(`The template has no role "${role}". It has: ${roles.map(({ name }) => name).join(', ')}.`)
    return found ? [{ roleId: found.id, ...person }] : []
  })
  const values = Object.entries(args.values ?? {}).flatMap(([label, value]) => {
    const found = fields.filter((field) => field.label?.toLowerCase() === label.toLowerCase())
    if (found.length === 0) problems.push(`The template has no field with the label "${label}".`)
    return found.map(({ id }) => ({ fieldId: id, value }))
  })
  if (problems.length > 0) throw failed(problems)
  const expiry = args.expires_in_days && new Date(now.getTime() + args.expires_in_days * 86_400_000).toISOString()
  return { title: args.title, recipients, values, ...(expiry && { expiresAt: expiry }) }
}
