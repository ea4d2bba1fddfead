/** `docs/openapi.json`, as far as the reference pages read it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  additionalProperties?: Schema | boolean
}

export interface Media {
  schema?: Schema
  example?: unknown
}

export interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export interface Response {
  $ref?: string
  description: string
  content?: Readonly<Record<string, Media & { examples?: Readonly<Record<string, unknown>> }>>
}

export interface Operation {
  operationId: string
  tags: readonly [string]
  summary: string
  description: string
  security: readonly Readonly<Record<string, unknown>>[]
  parameters?: readonly Parameter[]
  requestBody?: { content: Readonly<Record<string, Media>> }
  responses: Readonly<Record<string, Response>>
}

export interface Call {
  method: string
  path: string
  operation: Operation
}

export interface Description {
  info: { title: string; version: string; description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    responses: Readonly<Record<string, Response>>
    parameters: Readonly<Record<string, Parameter>>
  }
}

export const readDescription = (): Description =>
  JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Description

export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref
