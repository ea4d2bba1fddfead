/** Registers declared routes with Fastify: gate and limits before the body, validation after it, then the handler. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Blobs } from '../blobs/index.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { isUuid, nilId } from '../ids.ts'
import type { Limits } from '../limits/limits.ts'
import { enterMark, type Mark } from '../loop-watch/mark.ts'
import { andThen, type MaybeAsync } from '../maybe-async.ts'
import type { RequestCounts } from '../metrics/index.ts'
import { enterSpan } from '../spans/span.ts'
import type { Traces } from '../traces/traces.ts'
import type { Caller } from './access.ts'
import { isMultipart } from './bodies/bodies.ts'
import { turnAfterLarge } from './bodies/large-bodies.ts'
import { receiveUpload, type UploadedFile } from './bodies/upload.ts'
import { parseWith, validatorCompiler } from './bodies/validation.ts'
import { RequestCall, type RouteContext } from './call.ts'
import type { Gate } from './gate/gate.ts'
import { countAgainstLimits } from './gate/rate-limit.ts'
import type { RequestQuotas } from './gate/request-quotas.ts'
import { createRouteRules } from './gate/route-rules.ts'
import { type RawReply, sendRaw } from './replies/raw-reply.ts'
import { inRequestSpan } from './request-spans.ts'
import type { Accepts, ErrorShape, Redirect, Route } from './route.ts'
import { scopeOf } from './scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Caller | undefined
    files: readonly UploadedFile[] | undefined
    json: unknown
  }
  interface FastifyContextConfig {
    accepts?: Accepts | 'upload'
    /** An upload that may be JSON instead. */
    orJson?: true
    keepsIntegers?: true
    maxBodyParts?: number
    errorShape?: ErrorShape
    errorType?: string
    challenge?: string
  }
}

export interface MountOptions {
  gate: Gate
  limits: Limits
  quotas: RequestQuotas | undefined
  config: Config
  clock: Clock
  blobs: Blobs | undefined
  counts: RequestCounts | undefined
  readerPatienceMs: number | undefined
  traces: Traces | undefined
}

/** An id that is not a UUID becomes the nil id, so that it is not found like any unknown one. */
const withReadableIds = (params: Record<string, string>): Record<string, string> => {
  for (const name in params) if (/(^id|Id)$/.test(name) && !isUuid(params[name] ?? '')) params[name] = nilId
  return params
}

/** The only character that a URL can carry and PostgreSQL cannot store. */
const refuseNul = (url: string): void => {
  if (url.includes('%00')) throw new AppError('invalid_text', { detail: 'The address holds a NUL character.' })
}

export const mountRoutes = (server: FastifyInstance, routes: readonly Route[], options: MountOptions): void => {
  server.decorateRequest('actor', undefined)
  server.decorateRequest('span', undefined)
  server.decorateRequest('files', undefined)
  server.decorateRequest('json', undefined)
  for (const route of routes) mountRoute(server, route, options)
}

/** Its owner is asked for only after a block. */
class RouteMark implements Mark {
  readonly what: string
  readonly isRequest = true
  readonly #request: FastifyRequest

  constructor(what: string, request: FastifyRequest) {
    this.what = what
    this.#request = request
  }

  get owner(): string | undefined {
    const { actor } = this.#request
    return actor && 'credential' in actor ? scopeOf(actor) : undefined
  }
}

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A body may arrive as slowly as its sender likes, and what let them in may have ended meanwhile. */
const mayHaveTakenLong = ({ actor, headers }: FastifyRequest): boolean =>
  actor !== undefined &&
  'credential' in actor &&
  (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')

const mountRoute = (server: FastifyInstance, route: Route, options: MountOptions): void => {
  const { reply: kind } = route
  const context: RouteContext = {
    config: options.config,
    authorize: (request) => options.gate.authorize(request, route.access, route.keyHeaders),
  }
  const status = kind === 'redirect' ? 302 : (route.status ?? (kind ? 200 : 204))
  const what = `${route.method} ${route.path}`
  const respond: Respond = async (request, reply) => {
    enterMark(new RouteMark(what, request))
    // A body is read on the turn of its socket, which knows nothing of the request.
    if (request.span) enterSpan(request.span)
    const params = withReadableIds(request.params as Record<string, string>)
    refuseNul(request.url)
    if (mayHaveTakenLong(request)) request.actor = await context.authorize(request)
    const { actor, query, body } = request
    const http = new RequestCall(request, reply, context)
    const large = turnAfterLarge(request)
    if (large) await large
    const result = await route.handle({ actor, params, query, body, http })
    if (kind === 'raw') return sendRaw(reply, result as RawReply, options.readerPatienceMs)
    reply.code(status)
    if (kind === 'redirect') return reply.header('location', (result as Redirect).redirectTo).send()
    return kind ? result : reply.send()
  }
  server.route({
    method: route.method,
    url: route.path,
    config: {
      ...(route.upload?.orJson ? { orJson: true as const } : {}),
      ...(route.upload ? { accepts: 'upload' } : route.accepts ? { accepts: route.accepts } : {}),
      ...(route.keepsIntegers ? { keepsIntegers: true } : {}),
      ...(route.maxBodyParts === undefined ? {} : { maxBodyParts: route.maxBodyParts }),
      ...(route.errorShape ? { errorShape: route.errorShape } : {}),
      ...(route.errorType ? { errorType: route.errorType } : {}),
      ...(route.challenge ? { challenge: route.challenge } : {}),
    },
    ...(route.maxBodyBytes === undefined ? {} : { bodyLimit: route.maxBodyBytes }),
    schema: {
      summary: route.summary,
      ...(route.body ? { body: route.body } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(kind && kind !== 'redirect' && kind !== 'raw' ? { response: { [status]: kind } } : {}),
    },
    // A form's fields are validated once the form has been read.
    ...(route.upload ? { validatorCompiler: validateAllButBody as never } : {}),
    onRequest: inRequestSpan(options.traces, route, createAuthorization(route, options)),
    handler: route.upload ? afterUpload(route, options, respond) : respond,
  })
}

const validateAllButBody: typeof validatorCompiler = (part) =>
  part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part)

/** Reads the form before the handler, and deletes the files it has not claimed. */
const afterUpload = (route: Route, { blobs, quotas }: MountOptions, respond: Respond): Respond => {
  const { upload: spec, body: schema } = route
  if (!spec || !blobs || !(schema === undefined || schema instanceof z.ZodObject))
    throw new Error(`${route.path} cannot take uploads: it needs blobs, and an object as its body.`)
  return async (request, reply) => {
    if (!isMultipart(request) && !(spec.orJson && request.body !== undefined))
      throw new AppError('unsupported_media_type')
    await quotas?.beforeUpload(request.actor)
    if (!isMultipart(request)) {
      request.json = request.body
      request.body = schema && parseWith(schema, {})
      return respond(request, reply)
    }
    const { fields, files } = await receiveUpload(request.raw, { spec, schema, blobs })
    try {
      await quotas?.afterUpload(request.actor, files)
      request.body = fields
      request.files = files
      return await respond(request, reply)
    } finally {
      await blobs.discardUnclaimed(files.map(({ key }) => key))
    }
  }
}

/** A cached caller is let in at once; only the others cost a turn of the event loop. */
const createAuthorization = (route: Route, { gate, limits, quotas, config, clock, counts }: MountOptions) => {
  const markStart = counts?.of(route)
  const requireRules = createRouteRules(route, { config, clock })
  return (request: FastifyRequest, reply: FastifyReply, done: (problem?: Error) => void): void => {
    markStart?.(reply.raw)
    const check = (caller: Caller | undefined): MaybeAsync<void> => {
      request.actor = caller
      requireRules(caller)
      const leave = quotas?.enter(caller)
      if (leave) reply.raw.once('close', leave)
      return route.limits && countAgainstLimits(limits, route, { request, actor: caller })
    }
    let checked: MaybeAsync<void>
    try {
      checked = andThen(gate.authorize(request, route.access, route.keyHeaders), check)
    } catch (problem) {
      done(problem as Error)
      return
    }
    if (checked) checked.then(() => done(), done)
    else done()
  }
}
