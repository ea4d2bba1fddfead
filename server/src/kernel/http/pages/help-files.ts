/**
 * Serves the help at /help: pages that were built from `docs/` beside the web app. Those about the API are for whoever is
 * signed in; others are sent to the sign-in and come back.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Gate } from '../gate/gate.ts'
import { normalisePath } from '../gate/normalise-path.ts'
import { notForSearchEngines } from './security-headers.ts'

interface Options {
  gate: Gate
  helpDir: string
}

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
  ...notForSearchEngines,
} as const

/** However it is spelled: what can't be normalised isn't let through either. */
const isAboutApi = (url: string): boolean => !/^\/help(?!\/api(\/|$))/i.test(normalisePath(url) ?? '')

const isPage = ({ url }: FastifyRequest): boolean => /(\/|\.html)(\?|$)/.test(url)

const requireSignIn = async (gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
  try {
    await gate.authorize(request, 'signedIn')
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.status !== 401 || !isPage(request)) throw problem
    return reply.redirect(`/sign-in?return_to=${encodeURIComponent(request.url)}`, 302)
  }
  return undefined
}

export const serveHelp = (server: FastifyInstance, { gate, helpDir }: Options): void => {
  if (!existsSync(join(helpDir, 'index.html'))) return
  const lost = readFileSync(join(helpDir, '404.html'))
  server.get('/help', (_request, reply) => reply.redirect('/help/', 302))
  server.register(
    async (help) => {
      help.addHook('onRequest', async (request, reply) => {
        if (isAboutApi(request.url)) return requireSignIn(gate, request, reply)
      })
      help.setNotFoundHandler((_request, reply) =>
        reply.code(404).type('text/html; charset=utf-8').headers(headers).send(lost),
      )
      await help.register(fastifyStatic, {
        root: helpDir,
        preCompressed: true,
        decorateReply: false,
        dotfiles: 'ignore',
        redirect: true,
        setHeaders: (reply) => void reply.headers(headers),
      })
    },
    { prefix: '/help/' },
  )
}
