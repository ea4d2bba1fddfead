/** `/api/models` and `/api/v1/models`: what can be chatted with. */
import { z } from 'zod'
import { AccessGrants } from '../grants.ts'
import { line } from '../text.ts'

/** The built-in model, which knows this service only: never the default nor a fallback while there is another one. */
export const guideId = 'guide'

export const ModelItem = z.object({
  id: z.string(),
  name: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  connection_type: z.enum(['local', 'external', 'internal']),
  tags: z.array(z.object({ name: z.string() })),
  description: z.string().nullable().optional(),
  capabilities: z.array(z.string()).optional(),
  /** A custom model's base. */
  base_model_id: z.string().nullable().optional(),
  /** True where no connection that serves it answers at present. */
  unavailable: z.boolean().optional(),
})
export type ModelItem = z.infer<typeof ModelItem>
/** `object: "list"` as the SDKs of that API read it. */
export const ModelList = z.object({ object: z.literal('list'), data: z.array(ModelItem) })

const number = (min: number, max: number) =>
  z.number('must be a number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`).optional()

/** Known ones are checked; others are kept and sent to the model as they are. */
export const ModelParams = z.looseObject({
  system: z.string().max(100_000).optional(),
  temperature: number(0, 2),
  top_p: number(0, 1),
  frequency_penalty: number(-2, 2),
  presence_penalty: number(-2, 2),
  max_tokens: z.int('must be a whole number').min(1, 'must be at least 1').max(10_000_000).optional(),
})

/** Capabilities come as a list; the map of booleans that other products send is read as one. */
const Capabilities = z.union([
  z.array(line(60)).max(50),
  z.record(z.string().max(60), z.boolean()).transform((map) => Object.keys(map).filter((name) => map[name])),
])

export const ModelMeta = z.looseObject({
  description: z.string().max(2000).nullish(),
  capabilities: Capabilities.optional(),
  context_length: z.int().min(1).optional(),
  max_output_tokens: z.int().min(1).optional(),
  tags: z
    .array(z.object({ name: line(60) }))
    .max(50)
    .optional(),
})

const ModelFields = z.strictObject({
  name: line(200),
  /** Null: this is not a model of its own but what an administrator says about a connection's model. */
  base_model_id: z.string().min(1).max(300).nullish(),
  params: ModelParams.optional(),
  meta: ModelMeta.optional(),
  access_grants: AccessGrants.optional(),
  is_active: z.boolean().optional(),
})
/** A connection's model is called whatever the connection calls it; a model of one's own takes letters, digits and . _ : / @ - */
export const ModelBody = ModelFields.extend({
  id: z
    .string()
    .min(1)
    .max(300)
    .regex(/^\P{Cc}+$/u, 'must not hold control characters'),
})
export const ModelPatch = ModelFields.partial()

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  model: z.string(),
  base_model_id: z.string().nullable(),
  meta: z.looseObject({
    description: z.string(),
    capabilities: z.array(z.string()),
    context_length: z.int(),
    max_output_tokens: z.int(),
  }),
  params: z.looseObject({
    temperature: z.number(),
    top_p: z.number(),
    frequency_penalty: z.number(),
    presence_penalty: z.number(),
  }),
  created_at: z.int(),
  updated_at: z.int(),
  user_id: z.string().nullable(),
  is_active: z.boolean(),
  /** Only for those who may change it. */
  access_grants: AccessGrants.optional(),
  write_access: z.boolean(),
})
export type Model = z.infer<typeof Model>
/** GET `/api/v1/models/custom`: what the caller made or, for the platform admin, all there is. */
export const CustomModelList = z.object({ items: z.array(Model), total: z.int() })

export const ModelListQuery = z.object({ refresh: z.enum(['true', 'false']).optional() })

/** A missing id is answered like an unknown one. */
export const ModelIdQuery = z.object({ id: z.string().max(300).default('') })
