/** Errors as SCIM has them (RFC 7644, 3.12); our own body is beside it. */
import type { ErrorCode } from '@chancery/contract/errors.ts'
import type { ErrorShape } from '#kernel/http/route.ts'

export const scimMediaType = 'application/scim+json; charset=utf-8'

const types: Partial<Record<ErrorCode, string>> = {
  scim_invalid_filter: 'invalidFilter',
  scim_invalid_path: 'invalidPath',
  scim_invalid_syntax: 'invalidSyntax',
  invalid_json: 'invalidSyntax',
  scim_invalid_value: 'invalidValue',
  invalid_text: 'invalidValue',
  scim_no_target: 'noTarget',
  scim_taken: 'uniqueness',
  email_taken: 'uniqueness',
  email_domain_taken: 'uniqueness',
  name_taken: 'uniqueness',
}

export const scimErrorShape: ErrorShape = ({ detail, ...body }, error) => {
  const scimType = types[error.code]
  return {
    ...body,
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(scimType !== undefined && { scimType }),
    detail: typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join(' '),
  }
}
