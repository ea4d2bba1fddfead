/** The form of a tool server as the body of a request. Pure. */
import type { ToolServer } from '@chancery/contract/plugins/tool-servers.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { invalidValue } from '#lib/problems/problem-text.ts'
import type { Approval } from '#ui/form/approval-field.tsx'

export interface Choices {
  type: ToolServer['type']
  authType: ToolServer['auth_type']
  isEnabled: boolean
  approval: Approval
  grants: ToolServer['access_grants']
}

export const choicesOf = (current: ToolServer | undefined): Choices => ({
  type: current?.type ?? 'mcp',
  authType: current?.auth_type ?? 'none',
  isEnabled: current?.enabled ?? true,
  approval: { isNeeded: current?.needs_approval ?? false, exempt: current?.approval_exempt ?? [] },
  grants: current?.access_grants ?? null,
})

/** `Name: value` in each line. What has no colon is sent as a name without a value, and refused with a sentence. */
export const headersFrom = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [, name = line, value = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
        return [name.trim(), value.trim()]
      }),
  )

/** A problem of a header is reported under the header's name; of a name that is none, no more than that. */
export const headerProblem = ({ headers, ...problems }: Problems): string | undefined => {
  const known = ['name', 'id', 'url', 'path', 'auth_type', 'key']
  const problem = headers ?? Object.entries(problems).find(([field]) => !known.includes(field))?.[1]
  return problem === invalidValue ? 'Write a name, a colon and a value in each line.' : problem
}

export const headersText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export function serverBody(
  fields: Readonly<Record<string, string>>,
  choices: Choices,
  current: ToolServer | undefined,
) {
  const { id = '', name = '', url = '', path = '', key = '', headers = '' } = fields
  return {
    id: current?.id ?? id.trim(),
    type: choices.type,
    ...(name.trim() !== '' && { name }),
    url: url.trim(),
    ...(choices.type === 'openapi' && path.trim() !== '' && { path: path.trim() }),
    auth_type: choices.type === 'openapi' && choices.authType === 'oauth_2.1' ? 'none' : choices.authType,
    // A key that wasn't typed isn't sent, so the stored one is kept.
    ...(choices.authType === 'bearer' && key !== '' && { key }),
    headers: headersFrom(headers),
    enabled: choices.isEnabled,
    needs_approval: choices.approval.isNeeded,
    approval_exempt: choices.approval.exempt,
    access_grants: choices.grants,
  }
}
