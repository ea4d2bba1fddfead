/**
 * title: Encyclopedia
 * description: A model that answers from Wikipedia, with its sources.
 */
import type { Body, Helpers } from '@chancery/plugin'

interface Settings {
  api_url: string
  pages: number
}

interface Found {
  query?: { pages?: Record<string, { title: string; extract?: string; fullurl?: string; index: number }> }
}

export class Pipe {
  name = 'Encyclopedia'
  static Valves = {
    api_url: { type: 'string', default: 'https://en.wikipedia.org/w/api.php', title: 'Address of the API' },
    pages: { type: 'integer', default: 3, minimum: 1, maximum: 10, title: 'Articles to read' },
  }

  async *pipe(body: Body, { __valves__, __event_emitter__: emit, signal }: Helpers<Settings>): AsyncGenerator<string> {
    const question = String(body.messages.at(-1)?.content ?? '')
    await emit({ type: 'status', data: { description: 'Searching', done: false } })
    const url = new URL(__valves__.api_url)
    const query = {
      action: 'query',
      generator: 'search',
      gsrsearch: question.slice(0, 300),
      gsrlimit: String(__valves__.pages),
    }
    const wanted = {
      prop: 'extracts|info',
      exintro: '1',
      explaintext: '1',
      exchars: '800',
      inprop: 'url',
      format: 'json',
    }
    for (const [name, value] of Object.entries({ ...query, ...wanted })) url.searchParams.set(name, value)
    const reply = await fetch(url, { signal })
    const { query: found } = (await reply.json()) as Found
    const pages = Object.values(found?.pages ?? {}).sort((one, other) => one.index - other.index)
    await emit({ type: 'status', data: { description: `Read ${pages.length} articles`, done: true } })
    if (pages.length === 0) yield 'I found no article about that.'
    for (const [index, { title, extract = '', fullurl = '' }] of pages.entries()) {
      const source = {
        source: { name: title, url: fullurl },
        document: [extract],
        metadata: [{ source: fullurl, name: title }],
      }
      await emit({ type: 'source', data: source })
      yield `**${title}** [${index + 1}]: ${extract.trim()}\n\n`
    }
  }
}
