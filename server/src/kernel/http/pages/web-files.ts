/**
 * Serves the built web app: hashed assets for a year and compressed as the build left them, the page itself always
 * fresh, every app address the same page.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Gate } from '../gate/gate.ts'
import { normalisePath } from '../gate/normalise-path.ts'
import { serveHelp } from './help-files.ts'
import { embedHeaders, interpreterHeaders, isolatedHeaders, pageHeaders } from './security-headers.ts'

interface Options {
  gate: Gate
  webDir: string
}

/** Addresses that belong to machines, however they are spelled: never answered with a page. */
const machinePath =
  /^\/(\.well-known|api|upstream|ws|websocket|oauth|sso|scim|health|ready|metrics|docs|help|assets)(?![\w-])/i
const openPath = /^\/(\.well-known|api\/auth|api\/public|health|docs|help|assets)(\/|$)/

/** `/robots.txt`, `/config.json`: a file that isn't there. No page of the app is called like this. */
const filePath = /[^/]\.[a-z][a-z0-9]{1,11}$/i

const isFilePath = ({ url }: FastifyRequest): boolean => filePath.test(normalisePath(url) ?? '')

const wantsPage = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !machinePath.test(normalisePath(url) ?? url)

const isOpenPath = ({ url }: FastifyRequest): boolean => openPath.test(normalisePath(url) ?? '')

/** The pages that run code which isn't ours, each with a policy of its own. */
const frameHeaders = new Map<string, Record<string, string>>([
  ['embed.html', embedHeaders],
  ['isolated.html', isolatedHeaders],
  ['interpreter.html', interpreterHeaders],
])

const headersOf = (path: string) => frameHeaders.get(basename(path)) ?? pageHeaders

const describe: NonNullable<FastifyStaticOptions['setHeaders']> = (reply, path) => {
  const cacheControl = path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  reply.headers({ ...headersOf(path), 'cache-control': cacheControl })
}

export const serveWebFiles = (server: FastifyInstance, { gate, webDir }: Options): void => {
  const pagePath = join(webDir, 'index.html')
  const page = existsSync(pagePath) ? readFileSync(pagePath) : undefined
  if (page) {
    const files = { index: false, setHeaders: describe } as const
    // One route for the hundreds of assets: a route for each would hold more memory than the assets themselves.
    server.register(fastifyStatic, {
      ...files,
      root: join(webDir, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      decorateReply: false,
    })
    server.register(fastifyStatic, { ...files, root: webDir, wildcard: false, globIgnore: ['assets/**', 'help/**'] })
  }
  serveHelp(server, { gate, helpDir: join(webDir, 'help') })
  /** An unknown address outside the open paths tells nothing to strangers: they get 401, not 404. */
  server.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    if (page && wantsPage(request)) {
      if (isFilePath(request)) throw new AppError('not_found')
      return reply
        .type('text/html; charset=utf-8')
        .headers({ ...pageHeaders, 'cache-control': 'no-cache' })
        .send(page)
    }
    if (!isOpenPath(request)) await gate.authorize(request, 'signedIn')
    throw new AppError('not_found')
  })
}
