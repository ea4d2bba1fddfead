import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { type Site, startRawSite, startSite, type WebSite } from '#test/peers/site.ts'
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts'

/** 127.0.0.1 plays the private network; 127.0.0.2, with rules that call it public, plays the internet. */
const internet = '127.0.0.2'
const log = createLog('silent')
const opened: Outbound[] = []
let secret: WebSite
let site: WebSite

const open = (options: Partial<OutboundOptions> = {}): Outbound => {
  const outbound = createOutbound({ allowedHosts: [], log, lookup: fails('ENOTFOUND'), ...options })
  opened.push(outbound)
  return outbound
}
const fails = (code: string) => () => Promise.reject(Object.assign(new Error(`query ${code}`), { code }))
const mayReach = (address: string) => address === internet
/** Every name leads to the pretended internet, unless it starts with `private`. */
const lookup = async (name: string) => [name.startsWith('private') ? '127.0.0.1' : internet]
const code = (expected: string) => expect.objectContaining({ name: 'AppError', code: expected })

beforeAll(async () => {
  secret = await startSite((_request, response) => response.end('the secret'))
  site = await startSite((request, response) => {
    const { searchParams: query, pathname } = new URL(request.path, 'http://site')
    const next = query.getAll('to')
    if (pathname !== '/hop' || next.length === 0) return response.end(`${request.method} ${request.body}`)
    const rest = next.slice(1).map((to) => `to=${encodeURIComponent(to)}`)
    const location = rest.length > 0 ? `${next[0]}?${rest.join('&')}` : next[0]
    response.writeHead(Number(query.get('status') ?? 302), { location }).end('moved')
  }, internet)
})

afterAll(async () => {
  await Promise.all([...opened.map((outbound) => outbound.close()), secret.close(), site.close()])
})

describe('addresses that must not be reached', () => {
  const port = () => secret.port
  const table: [name: string, address: () => string][] = [
    ['dotted loopback', () => `http://127.0.0.1:${port()}/`],
    ['all of 127/8', () => `http://127.8.8.8:${port()}/`],
    ['decimal', () => `http://2130706433:${port()}/`],
    ['hexadecimal', () => `http://0x7f000001:${port()}/`],
    ['hexadecimal parts', () => `http://0x7f.0x0.0x0.0x1:${port()}/`],
    ['octal', () => `http://0177.0.0.1:${port()}/`],
    ['octal in one number', () => `http://017700000001:${port()}/`],
    ['short form', () => `http://127.1:${port()}/`],
    ['zero', () => `http://0:${port()}/`],
    ['0.0.0.0', () => `http://0.0.0.0:${port()}/`],
    ['full-width digits', () => `http://１２７．０．０．１:${port()}/`],
    ['circled digits', () => `http://①②⑦.⓪.⓪.①:${port()}/`],
    ['percent-encoded host', () => `http://%31%32%37.0.0.1:${port()}/`],
    ['ideographic full stop', () => `http://127。0。0。1:${port()}/`],
    ['address with a trailing dot', () => `http://127.0.0.1.:${port()}/`],
    ['IPv6 loopback', () => `http://[::1]:${port()}/`],
    ['IPv6 unspecified', () => `http://[::]:${port()}/`],
    ['long IPv6 loopback', () => `http://[0:0:0:0:0:0:0:1]:${port()}/`],
    ['mapped', () => `http://[::ffff:127.0.0.1]:${port()}/`],
    ['mapped in hexadecimal', () => `http://[::ffff:7f00:1]:${port()}/`],
    ['compatible', () => `http://[::127.0.0.1]:${port()}/`],
    ['translated', () => `http://[::ffff:0:127.0.0.1]:${port()}/`],
    ['NAT64', () => 'http://[64:ff9b::127.0.0.1]/'],
    ['NAT64 of metadata', () => 'http://[64:ff9b::a9fe:a9fe]/'],
    ['local NAT64', () => 'http://[64:ff9b:1::808:808]/'],
    ['6to4', () => 'http://[2002:7f00:1::]/'],
    ['Teredo', () => 'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
    ['unique local', () => 'http://[fd00:ec2::254]/'],
    ['link-local IPv6', () => 'http://[fe80::1]/'],
    ['zone id', () => 'http://[fe80::1%25eth0]/'],
    ['site-local', () => 'http://[fec0::1]/'],
    ['multicast', () => 'http://[ff02::1]/'],
    ['metadata', () => 'http://169.254.169.254/latest/meta-data/'],
    ['private 10/8', () => 'http://10.0.0.1/'],
    ['private 172.16/12', () => 'http://172.31.255.255/'],
    ['private 192.168/16', () => 'http://192.168.1.1/'],
    ['carrier NAT', () => 'http://100.100.100.200/'],
    ['benchmark net', () => 'http://198.19.0.1/'],
    ['broadcast', () => 'http://255.255.255.255/'],
    ['localhost', () => `http://localhost:${port()}/`],
    ['localhost with a dot', () => `http://localhost.:${port()}/`],
    ['LOCALHOST', () => `http://LOCALHOST:${port()}/`],
    ['below localhost', () => `http://app.localhost:${port()}/`],
    ['localdomain', () => `http://localhost.localdomain:${port()}/`],
    ['mDNS name', () => `http://printer.local:${port()}/`],
    ['cloud metadata name', () => 'http://metadata.google.internal/'],
    ['userinfo', () => `http://example.com@127.0.0.1:${port()}/`],
    ['userinfo on a public host', () => 'http://user:password@example.com/'],
    ['backslash', () => `http://127.0.0.1:${port()}\\@example.com/`],
    ['backslashes for slashes', () => `http:\\\\127.0.0.1:${port()}\\`],
    ['tab', () => `http://127.0.\t0.1:${port()}/`],
    ['CRLF', () => `http://127.0.0.1:${port()}/\r\nHost: example.com`],
    ['leading space', () => ` http://127.0.0.1:${port()}/`],
    ['NUL', () => `http://127.0.0.1:${port()}/\0`],
    ['no slashes', () => `http:127.0.0.1:${port()}`],
    ['file', () => 'file:///etc/passwd'],
    ['gopher', () => `gopher://127.0.0.1:${port()}/_x`],
    ['ftp', () => 'ftp://example.com/'],
    ['data', () => 'data:text/plain,hello'],
    ['javascript', () => 'javascript:alert(1)'],
    ['blob', () => 'blob:http://example.com/1'],
    ['ssh port', () => 'http://example.com:22/'],
    ['mail port', () => 'http://example.com:25/'],
    ['Redis port', () => 'http://example.com:6379/'],
    ['PostgreSQL port', () => 'https://example.com:5432/'],
    ['port 0', () => 'http://example.com:0/'],
    ['port too large', () => 'http://example.com:65536/'],
    ['relative', () => '/etc/passwd'],
    ['empty', () => ''],
    ['only a scheme', () => 'http://'],
    ['only a dot', () => 'http://./'],
    ['empty label', () => 'http://example..com/'],
  ]

  it.each(table)('%s is blocked with one code, and nobody is called', async (_name, address) => {
    const before = secret.connections()
    let asked = 0
    const outbound = open({
      lookup: async () => {
        asked += 1
        return ['127.0.0.1']
      },
    })
    await expect(outbound.fetch(address())).rejects.toThrowError(code('outbound_blocked'))
    expect([asked, secret.connections() - before]).toEqual([0, 0])
  })

  it('never puts the address it refused into the sentence', async () => {
    const outbound = open({ lookup: async () => ['10.20.30.40'] })
    await expect(outbound.fetch('http://intra.example/')).rejects.toThrowError(
      expect.objectContaining({ message: "Connections to this address aren't allowed." }),
    )
  })
})

describe('names that lead to private addresses', () => {
  it.each([
    ['a private address', ['127.0.0.1']],
    ['public and private together', ['127.0.0.2', '127.0.0.1']],
    ['private behind public IPv6', ['127.0.0.2', '::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a link-local address with its zone', ['fe80::1%lo']],
  ])('blocks a name that has %s', async (_name, addresses) => {
    const before = secret.connections()
    const outbound = open({ mayReach, lookup: async () => addresses })
    await expect(outbound.fetch(`http://name.example:${secret.port}/`)).rejects.toThrowError(code('outbound_blocked'))
    await expect(outbound.resolveTarget('name.example', 389, { ports: [389] })).rejects.toThrowError(
      code('outbound_blocked'),
    )
    expect(secret.connections()).toBe(before)
  })

  it.each([
    ['SERVFAIL', fails('ESERVFAIL')],
    ['NXDOMAIN', fails('ENOTFOUND')],
    ['no address', async () => []],
    ['no sense', async () => ['not an address']],
  ])('fails closed when the resolver answers %s', async (_name, answer) => {
    const before = secret.connections()
    const outbound = open({ mayReach: () => true, lookup: answer })
    await expect(outbound.fetch(`http://name.example:${secret.port}/`)).rejects.toThrowError(code('outbound_failed'))
    expect(secret.connections()).toBe(before)
  })

  it('connects to the address it checked, though the resolver answers a private one the next time', async () => {
    const before = secret.connections()
    const answers = [[internet], ['127.0.0.1']]
    const outbound = open({ mayReach, lookup: async () => answers.shift() ?? ['127.0.0.1'] })

    const reply = await outbound.fetch(`http://rebind.example:${site.port}/`)

    expect(await reply.text()).toBe('GET ')
    expect(answers).toHaveLength(1)
    expect(site.requests.at(-1)?.headers.host).toBe(`rebind.example:${site.port}`)
    // Same name, another port: no kept connection, so the resolver is asked again and now says private.
    await expect(outbound.fetch(`http://rebind.example:${secret.port}/`)).rejects.toThrowError(code('outbound_blocked'))
    expect(secret.connections()).toBe(before)
  })

  it('says the original name in the TLS handshake with the checked address', async () => {
    const hello = Promise.withResolvers<Buffer>()
    const tls: Site = await startRawSite(
      (socket) =>
        socket.once('data', (bytes: Buffer) => {
          hello.resolve(bytes)
          socket.end()
        }),
      internet,
    )
    const outbound = open({ mayReach, lookup })

    await expect(outbound.fetch(`https://secure.example:${tls.port}/`)).rejects.toThrowError(code('outbound_failed'))

    expect((await hello.promise).includes('secure.example')).toBe(true)
    await tls.close()
  })
})

describe('redirects', () => {
  const hops = (...to: string[]) => `/hop?${to.map((next) => `to=${encodeURIComponent(next)}`).join('&')}`
  const start = (path: string) => `http://start.example:${site.port}${path}`

  it.each([301, 302, 303, 307, 308])('follows a %i on the public side', async (status) => {
    const reply = await open({ mayReach, lookup }).fetch(start(`${hops('/end')}&status=${status}`))
    expect([reply.status, await reply.text(), reply.url]).toEqual([200, 'GET ', start('/end')])
  })

  it.each([1, 2, 3])('blocks a chain that turns private at hop %i', async (depth) => {
    const before = secret.connections()
    for (const last of [`http://127.0.0.1:${secret.port}/`, `http://private.example:${secret.port}/`]) {
      const chain = [
        ...Array.from({ length: depth - 1 }, (_, hop) => `http://hop${hop}.example:${site.port}/hop`),
        last,
      ]
      await expect(open({ mayReach, lookup }).fetch(start(hops(...chain)))).rejects.toThrowError(
        code('outbound_blocked'),
      )
    }
    expect(secret.connections()).toBe(before)
  })

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'ftp://example.com/',
    'data:,x',
    'javascript:1',
    'http://u:p@example.com/',
    'http://',
  ])('blocks a redirect to %s', async (to) => {
    await expect(open({ mayReach, lookup }).fetch(start(hops(to)))).rejects.toThrowError(code('outbound_blocked'))
  })

  it('reads a location as a browser would, and checks what it read', async () => {
    const before = secret.connections()
    for (const to of [
      `//127.0.0.1:${secret.port}/`,
      `\\\\127.0.0.1:${secret.port}\\`,
      `http:/\\2130706433:${secret.port}`,
    ])
      await expect(open({ mayReach, lookup }).fetch(start(hops(to)))).rejects.toThrowError(code('outbound_blocked'))
    expect(secret.connections()).toBe(before)
  })

  it('does not follow a meta refresh, nor a redirect status without a location', async () => {
    const refreshing = await startSite(({ path }, response) => {
      if (path === '/bare') response.writeHead(302).end('no location')
      else response.end(`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${secret.port}/">`)
    }, internet)
    const outbound = open({ mayReach, lookup })

    expect((await outbound.fetch(`${refreshing.origin}/`)).status).toBe(200)
    const bare = await outbound.fetch(`${refreshing.origin}/bare`)
    expect([bare.status, await bare.text()]).toEqual([302, 'no location'])
    await refreshing.close()
  })

  it('gives up after three redirects, or as many as the caller allows', async () => {
    const outbound = open({ mayReach, lookup })
    const four = start(hops('/hop', '/hop', '/hop', '/end'))
    await expect(outbound.fetch(four)).rejects.toThrowError(code('outbound_failed'))
    expect((await outbound.fetch(four, { maxRedirects: 4 })).status).toBe(200)
    await expect(outbound.fetch(start(hops('/end')), { maxRedirects: 0 })).rejects.toThrowError(code('outbound_failed'))
  })

  it('sends no credential to another origin, whatever its name is', async () => {
    const headers = { Authorization: 'Bearer s3cret', cookie: 'a=s3cret', 'X-Api-Key': 's3cret', accept: 'text/html' }
    const outbound = open({ mayReach, lookup })

    await outbound.fetch(start(hops('/same')), { headers })
    expect(site.requests.at(-1)).toMatchObject({
      path: '/same',
      headers: { authorization: 'Bearer s3cret', 'x-api-key': 's3cret' },
    })

    await outbound.fetch(
      start(hops(`http://other.example:${site.port}/hop`, `http://start.example:${site.port}/end`)),
      { headers },
    )
    for (const request of site.requests.slice(-2)) {
      expect(request.headers.accept).toBe('text/html')
      expect(JSON.stringify(request.headers)).not.toContain('s3cret')
    }
  })

  it.each([
    [301, 'GET '],
    [302, 'GET '],
    [303, 'GET '],
    [307, 'POST the body'],
    [308, 'POST the body'],
  ])('turns a POST into what the Fetch standard says for %i', async (status, expected) => {
    const reply = await open({ mayReach, lookup }).fetch(start(`${hops('/end')}&status=${status}`), {
      method: 'POST',
      body: 'the body',
      headers: { 'content-type': 'text/plain' },
    })
    expect(await reply.text()).toBe(expected)
    expect(site.requests.at(-1)?.headers['content-type']).toBe(expected === 'GET ' ? undefined : 'text/plain')
  })

  it('repeats no body at another origin and no streamed body at all', async () => {
    const outbound = open({ mayReach, lookup })
    const elsewhere = start(`${hops(`http://other.example:${site.port}/end`)}&status=307`)
    await expect(outbound.fetch(elsewhere, { method: 'POST', body: 'client_secret=x' })).rejects.toThrowError(
      code('outbound_failed'),
    )
    const streamed = { method: 'POST', body: Readable.from(['a', 'b']) } as const
    await expect(outbound.fetch(start(`${hops('/end')}&status=308`), streamed)).rejects.toThrowError(
      code('outbound_failed'),
    )
  })
})

describe('exact exceptions', () => {
  it('open one host and port, for everyone or for one call, and nothing beside it', async () => {
    const named = `127.0.0.1:${secret.port}`
    const other = await startSite((_request, response) => response.end('another service'))
    const forAll = open({ allowedHosts: [named] })
    const forOne = open()

    expect(await (await forAll.fetch(`${secret.origin}/`)).text()).toBe('the secret')
    expect(await (await forOne.fetch(`${secret.origin}/`, { trusted: named })).text()).toBe('the secret')

    await expect(forAll.fetch(`${other.origin}/`)).rejects.toThrowError(code('outbound_blocked'))
    await expect(forAll.fetch(`http://127.0.0.2:${secret.port}/`)).rejects.toThrowError(code('outbound_blocked'))
    await expect(forOne.fetch(`${other.origin}/`, { trusted: named })).rejects.toThrowError(code('outbound_blocked'))
    expect(other.connections()).toBe(0)
    await other.close()
  })

  it('cannot be used by a later call through a connection that is still open', async () => {
    const outbound = open()
    await (await outbound.fetch(`${secret.origin}/`, { trusted: `127.0.0.1:${secret.port}` })).text()
    await expect(outbound.fetch(`${secret.origin}/`)).rejects.toThrowError(code('outbound_blocked'))
  })

  it('do not let a named host redirect to a private one', async () => {
    const named = await startSite((_request, response) =>
      response.writeHead(302, { location: `${secret.origin}/` }).end(),
    )
    const before = secret.connections()
    await expect(open().fetch(`${named.origin}/`, { trusted: `127.0.0.1:${named.port}` })).rejects.toThrowError(
      code('outbound_blocked'),
    )
    expect(secret.connections()).toBe(before)
    await named.close()
  })

  it('keep their connections, so that the resolver is not asked for each call', async () => {
    let asked = 0
    const outbound = open({
      allowedHosts: [`runtime.internal:${secret.port}`],
      lookup: async () => {
        asked += 1
        return ['127.0.0.1']
      },
    })
    const before = secret.connections()
    for (let call = 0; call < 50; call++) await (await outbound.fetch(`http://runtime.internal:${secret.port}/`)).text()
    expect(asked).toBe(secret.connections() - before)
    expect(asked).toBeLessThan(5)
  })
})

describe('other protocols', () => {
  it('get the checked address to connect to', async () => {
    const outbound = open({ mayReach, lookup, allowedHosts: ['private.example:10389'] })
    const ports = [389, 636]
    expect(await outbound.resolveTarget('Dir.Example.', 636, { ports })).toEqual({
      hostname: 'dir.example',
      port: 636,
      address: internet,
    })
    expect(await outbound.resolveTarget('private.example', 10_389, { ports })).toMatchObject({ address: '127.0.0.1' })
    expect(await outbound.resolveTarget('::1', 5, { ports, trusted: '[::1]:5' })).toMatchObject({ address: '::1' })
    for (const [host, port] of [
      ['dir.example', 22],
      ['private.example', 636],
      ['localhost', 389],
      ['127.1', 389],
      ['::1', 389],
    ] as const)
      await expect(outbound.resolveTarget(host, port, { ports })).rejects.toThrowError(code('outbound_blocked'))
  })
})
