/**
 * Checks settings against a plugin's schema, in the limited child: a schema can take exponential time, by a pattern or by
 * references that branch.
 */
import { Ajv } from 'ajv'

interface Input {
  schema: Record<string, unknown>
  /** Without it, only the schema is checked. */
  values?: Record<string, unknown>
}

export interface ValveProblem {
  loc: string[]
  msg: string
  type: string
}

export const tasks = {
  /** Throws where the schema itself is broken. */
  check: ({ schema, values }: Input): ValveProblem[] => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    const validate = ajv.compile(schema)
    if (values === undefined || validate(values)) return []
    return (validate.errors ?? []).map(({ instancePath, message, keyword, params }) => ({
      loc: [
        ...instancePath.split('/').slice(1),
        ...(keyword === 'additionalProperties' ? [String(params.additionalProperty)] : []),
      ],
      msg: message ?? 'is not valid',
      type: keyword,
    }))
  },
}
