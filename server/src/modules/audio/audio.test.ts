/** Speech through real sockets, against a peer that shows every field of the request it got. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { toFile } from 'openai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { processed, uploadBytes } from '#test/harness/files.ts'
import { makeCertificates } from '#test/peers/certificates.ts'
import { startSpeechEngine } from '#test/peers/speech.ts'
import { EngineRefusal } from './engines/engine.ts'
import { readWav } from './engines/read-wav.ts'
import { writeWav } from './engines/write-wav.ts'

const engine = await startSpeechEngine()
const app = await testApp({ timings: { usageFlushMs: 50 } })
const owner = await app.platformOwner()
const ana = await app.user({ org: 'speakers' })

const wav = writeWav(new Float32Array(800), 16_000)
const mp3 = Buffer.from('ID3 and the sound of words')
const configure = (change: object) => owner.post('/api/v1/audio/config/update', change)

const upload = (path: string, { file = wav, name = 'note.wav', fields = {}, by = ana, signal }: Upload = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(file)], { type: 'audio/wav' }), name)
  const headers = { authorization: `Bearer ${by.token}` }
  return fetch(app.url + path, { method: 'POST', body: form, headers, ...(signal && { signal }) })
}
interface Upload {
  file?: Buffer
  name?: string
  fields?: Record<string, string>
  by?: { token: string }
  signal?: AbortSignal
}
const transcribe = (given?: Upload) => upload('/api/v1/audio/transcriptions', given)
const textOf = async (reply: Response) => ((await reply.json()) as { text: string }).text

describe('speech to text', () => {
  it('by the local engine says how to install it where it is missing', async () => {
    const reply = await transcribe()
    expect(reply.status).toBe(503)
    expect(await reply.json()).toMatchObject({
      code: 'speech_engine_not_ready',
      detail: expect.stringContaining('docs/speech.md'),
    })
  })

  it('by a compatible engine sends the model, the file and the language, with the key', async () => {
    await configure({ stt: { ENGINE: 'compat', COMPAT_API_BASE_URL: `${engine.url}/v1/`, COMPAT_API_KEY: 'sk-ears' } })
    engine.script({ body: JSON.stringify({ text: ' Good day. ' }) })
    expect(await textOf(await transcribe({ fields: { language: 'de' } }))).toBe('Good day.')
    const call = engine.lastCall()
    expect([call.path, call.headers.authorization]).toEqual(['/v1/audio/transcriptions', 'Bearer sk-ears'])
    const form = await call.form()
    expect([form.get('model'), form.get('language')]).toEqual(['whisper-1', 'de'])
    const file = form.get('file') as File
    expect([file.name, file.type]).toEqual(['note.wav', 'audio/wav'])
    expect(Buffer.from(await file.arrayBuffer()).equals(wav)).toBe(true)
  })

  it('by Mistral, Deepgram and Azure speaks the language of each', async () => {
    await configure({ stt: { ENGINE: 'mistral', MISTRAL_API_BASE_URL: `${engine.url}/v1`, MISTRAL_API_KEY: 'mk' } })
    engine.script({ body: JSON.stringify({ text: 'bonjour' }) })
    expect(await textOf(await transcribe())).toBe('bonjour')
    expect((await engine.lastCall().form()).get('model')).toBe('voxtral-mini-latest')
    expect(engine.lastCall().headers.authorization).toBe('Bearer mk')

    await configure({ stt: { ENGINE: 'deepgram', DEEPGRAM_API_BASE_URL: `${engine.url}/v1`, DEEPGRAM_API_KEY: 'dk' } })
    engine.script({ body: JSON.stringify({ results: { channels: [{ alternatives: [{ transcript: 'hello' }] }] } }) })
    expect(await textOf(await transcribe({ fields: { language: 'en' } }))).toBe('hello')
    expect(engine.lastCall().path).toBe('/v1/listen?model=nova-3&smart_format=true&language=en')
    expect(engine.lastCall().headers).toMatchObject({ authorization: 'Token dk', 'content-type': 'audio/wav' })
    expect(engine.lastCall().bytes.equals(wav)).toBe(true)

    await configure({
      stt: { ENGINE: 'azure', AZURE_BASE_URL: engine.url, AZURE_API_KEY: 'ak', AZURE_LOCALES: ['de-DE'] },
    })
    engine.script({ body: JSON.stringify({ combinedPhrases: [{ text: 'Guten' }, { text: 'Tag' }] }) })
    expect(await textOf(await transcribe())).toBe('Guten\nTag')
    expect(engine.lastCall().path).toBe('/speechtotext/transcriptions:transcribe?api-version=2024-11-15')
    expect(engine.lastCall().headers['ocp-apim-subscription-key']).toBe('ak')
    const form = await engine.lastCall().form()
    expect(JSON.parse(String(form.get('definition')))).toEqual({ locales: ['de-DE'] })
    expect((form.get('audio') as File).name).toBe('note.wav')
  })

  it('refuses what is not a recording by its content, and a failing engine without its words', async () => {
    await configure({ stt: { ENGINE: 'compat' } })
    expect((await transcribe({ file: Buffer.from('<html>'), name: 'note.wav' })).status).toBe(415)
    engine.script({ status: 401, body: 'the key sk-ears is wrong' })
    const refused = await transcribe()
    expect(refused.status).toBe(502)
    const text = await refused.text()
    expect(text).toContain('speech_engine_failed')
    expect(text).not.toContain('sk-ears')
    engine.script({ body: 'not what was asked for' })
    expect((await transcribe()).status).toBe(502)
  })

  it('prefers what the person chose, and most of all what the request says', async () => {
    engine.script({ body: JSON.stringify({ text: 'x' }) })
    await ana.patch('/api/v1/audio/preferences', { language: 'fr' })
    await transcribe()
    expect((await engine.lastCall().form()).get('language')).toBe('fr')
    await transcribe({ fields: { language: 'es' } })
    expect((await engine.lastCall().form()).get('language')).toBe('es')
    await ana.patch('/api/v1/audio/preferences', { language: null })
    await transcribe()
    expect((await engine.lastCall().form()).get('language')).toBeNull()
  })
})

describe('an uploaded recording', () => {
  const now = { name: 'talk.wav', type: 'audio/wav', query: 'process_in_background=false' }

  it('is transcribed by the engine that is set, and its words can be read', async () => {
    await configure({ stt: { ENGINE: 'compat' } })
    engine.script({ body: JSON.stringify({ text: 'The ferry leaves at nine.' }) })
    const { body } = await uploadBytes(ana, wav, now)
    expect(body.data).toEqual({ status: 'completed' })
    expect((await ana.get(`/api/v1/files/${body.id}/data/content`)).body.content).toBe('The ferry leaves at nine.')
    const file = (await engine.lastCall().form()).get('file') as File
    expect([file.name, file.type]).toEqual(['talk.wav', 'audio/wav'])
  })

  it('fails with a sentence without an engine, and where nobody speaks', async () => {
    engine.script({ body: JSON.stringify({ text: ' ' }) })
    const silent = await uploadBytes(ana, wav, now)
    expect(silent.body.data).toEqual({ status: 'failed', error: 'No speech was found in the recording.' })
    await configure({ stt: { ENGINE: '' } })
    const { body } = await uploadBytes(ana, wav, now)
    expect(body.data).toMatchObject({ status: 'failed', error: expect.stringContaining("can't be transcribed") })
    expect(body.data.error).toContain('docs/speech.md')
  })
})

describe('a long recording', () => {
  /** The lowest that is read. */
  const rate = 4000
  /** A tone of 21 minutes and 40 seconds, 8 bits, with a pause of half a second before the twentieth minute. */
  const talk = () => {
    const samples = Buffer.alloc(rate * 1300, Buffer.from([96, 160]))
    samples.fill(128, rate * 1170, rate * 1170.5)
    const head = writeWav(new Float32Array(0), rate)
    head.writeUInt32LE(36 + samples.length, 4)
    head.writeUInt32LE(rate, 28)
    head.writeUInt16LE(1, 32)
    head.writeUInt16LE(8, 34)
    head.writeUInt32LE(samples.length, 40)
    return Buffer.concat([head, samples])
  }
  const textAnswer = (text: string) => ({ body: JSON.stringify({ text }) })

  it('is cut at a pause and heard in order; a failing engine is asked again only for what is missing', async () => {
    await configure({ stt: { ENGINE: 'compat' } })
    const { length: before } = engine.calls
    engine.script(textAnswer('The first part.'), { status: 503, body: '' }, textAnswer('The second part.'))
    const now = { name: 'talk.wav', type: 'audio/wav', query: 'process_in_background=false' }
    const { body } = await uploadBytes(ana, talk(), now)
    await processed(ana, body.id)
    expect((await ana.get(`/api/v1/files/${body.id}/data/content`)).body.content).toBe(
      'The first part.\nThe second part.',
    )
    const heard = await Promise.all(
      engine.calls.slice(before).map(async (call) => (await call.form()).get('file') as File),
    )
    const files = await Promise.all(heard.map(async (file) => Buffer.from(await file.arrayBuffer())))
    const seconds = files.map((file) => file.readUInt32LE(40) / rate)
    expect(seconds).toEqual([expect.closeTo(1170.3, 0), expect.closeTo(129.7, 0), expect.closeTo(129.7, 0)])
    expect((seconds[0] ?? 0) + (seconds[1] ?? 0)).toBeCloseTo(1300)
    const [first = Buffer.alloc(0), last = Buffer.alloc(0)] = files
    expect(first.length).toBe(44 + first.readUInt32LE(40))
    expect(readWav(last).length / 16_000).toBeCloseTo(seconds[1] ?? 0)
    expect(await app.db.selectFrom('transcriptPieces').selectAll().execute()).toEqual([])
  })

  it('is one request of those per minute; a file beyond them waits and does not fail', async () => {
    await configure({ stt: { ENGINE: 'compat', COMPAT_API_BASE_URL: `${engine.url}/v1` } })
    engine.script(textAnswer('Both'))
    const dora = await app.user()
    await owner.post('/api/v1/usage/limits', { subject_type: 'user', subject_id: dora.id, requests_per_minute: 1 })
    expect(await textOf(await transcribe({ file: talk(), by: dora }))).toBe('Both\nBoth')
    expect((await transcribe({ by: dora })).status).toBe(429)
    const short = { name: 'talk.wav', type: 'audio/wav', query: 'process_in_background=false' }
    const { body } = await uploadBytes(dora, wav, short)
    expect(body.data).toMatchObject({ status: 'pending' })
    app.clock.forward({ minutes: 2 })
    expect(await processed(dora, body.id)).toMatchObject({ status: 'completed' })
  })

  it('whose times would make more pieces than anybody records is sent whole, in one call', async () => {
    const page = (granule: bigint, body: string) => {
      const bytes = Buffer.alloc(28 + body.length)
      bytes.write('OggS', 0, 'latin1')
      bytes.writeBigUInt64LE(granule, 6)
      bytes.set([1, body.length], 26)
      bytes.write(body, 28, 'latin1')
      return bytes
    }
    // 21 minutes a page, of 283 bytes.
    const sound = 'x'.repeat(255)
    const pages = Array.from({ length: 8_000 }, (_, at) => page(BigInt(at + 1) * 48_000n * 1260n, sound))
    const file = Buffer.concat([page(0n, 'OpusHead'), ...pages])
    const before = engine.calls.length
    engine.script(textAnswer('Heard at once.'))
    expect(await textOf(await transcribe({ file, name: 'talk.ogg' }))).toBe('Heard at once.')
    expect(engine.calls.length - before).toBe(1)
  })

  it.each([
    ['lie beyond its end', [0, 30_000_000]],
    ['overlap', [0, 0]],
  ])('whose tables name sounds that %s is sent whole, in one call', async (_reason, offsets) => {
    const numbers = (...values: number[]) =>
      Buffer.concat(values.map((value) => Buffer.from(new Uint8Array([value >> 24, value >> 16, value >> 8, value]))))
    const box = (type: string, ...parts: Buffer[]) =>
      Buffer.concat([numbers(8 + Buffer.concat(parts).length), Buffer.from(type), ...parts])
    // Two samples of 1,000 seconds each.
    const lists = [
      box('stsd', numbers(0, 1)),
      box('stts', numbers(0, 1, 2, 1000)),
      box('stsc', numbers(0, 1, 1, 1, 1)),
      box('stsz', numbers(0, 1_000_000, 2)),
      box('stco', numbers(0, 2, ...offsets.map((offset) => 1000 + offset))),
    ]
    const handler = box('hdlr', numbers(0, 0), Buffer.from('soun'))
    const media = box('mdia', box('mdhd', numbers(0, 0, 0, 1, 0)), handler, box('minf', box('stbl', ...lists)))
    const sound = box('mdat', Buffer.alloc(2_200_000))
    const file = Buffer.concat([box('ftyp', Buffer.from('M4A ')), box('moov', box('trak', media)), sound])
    const before = engine.calls.length
    engine.script(textAnswer('Heard at once.'))
    expect(await textOf(await transcribe({ file, name: 'talk.m4a' }))).toBe('Heard at once.')
    expect(engine.calls.length - before).toBe(1)
  })

  it('that can’t be cut and that no engine takes fails with a sentence', async () => {
    const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(26 * 1024 * 1024)])
    const { body } = await uploadBytes(ana, flac, { name: 'talk.flac', query: 'process_in_background=false' })
    expect(body.data).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('WAV, MP3, M4A, FLAC, Ogg or WebM'),
    })
  })
})

describe('an engine that refuses a recording', () => {
  const now = { name: 'talk.wav', type: 'audio/wav', query: 'process_in_background=false' }

  it('is asked once where it would refuse it again, and the file says why it failed', async () => {
    await configure({ stt: { ENGINE: 'compat' } })
    const before = engine.calls.length
    engine.script({ status: 400, body: 'the key sk-ears is wrong' })
    const { body } = await uploadBytes(ana, wav, now)
    const error = "The recording can't be transcribed. The speech engine answered with status 400."
    expect(body.data).toEqual({ status: 'failed', error })
    expect(engine.calls.length - before).toBe(1)
    const statuses = [400, 401, 402, 403, 404, 408, 413, 415, 422, 425, 429, 500, 503]
    expect(statuses.filter((one) => new EngineRefusal(one).isPermanent)).toEqual([400, 413, 415, 422])
  })
})

/** A person's stored usage of a model. */
const usedBy = ({ id }: { id: string }, model: string) =>
  app.db
    .selectFrom('usageDays')
    .select(['requests', 'failures', 'promptTokens', 'completionTokens'])
    .where('principalId', '=', id)
    .where('model', '=', model)
    .executeTakeFirst()

describe('text to speech', () => {
  const say = (body: object) => ana.post('/api/v1/audio/speech', body)

  it('is 404 while no engine is set, with a sentence', async () => {
    expect(await say({ input: 'Hello' })).toMatchObject({ status: 404, body: { code: 'speech_engine_not_set' } })
  })

  it('by a compatible engine sends model, voice and text, and is made once for the same words', async () => {
    await configure({ tts: { ENGINE: 'compat', COMPAT_API_BASE_URL: `${engine.url}/v1`, COMPAT_API_KEY: 'sk-voice' } })
    engine.script({ type: 'audio/mpeg', body: mp3 })
    const before = engine.calls.length
    const replies = [await say({ input: 'Hello' }), await say({ input: 'Hello' })]
    for (const reply of replies) {
      expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([200, 'audio/mpeg', mp3.toString()])
    }
    expect(engine.calls.length - before).toBe(1)
    expect(JSON.parse(engine.lastCall().bytes.toString())).toEqual({ model: 'tts-1', voice: 'alloy', input: 'Hello' })
    expect(engine.lastCall().headers.authorization).toBe('Bearer sk-voice')
    const stranger = await app.user({ org: 'others' })
    await stranger.post('/api/v1/audio/speech', { input: 'Hello' })
    expect(engine.calls.length - before).toBe(2)
  })

  it('by Mistral, ElevenLabs and Azure speaks the language of each', async () => {
    await configure({
      tts: { ENGINE: 'mistral', MISTRAL_API_BASE_URL: `${engine.url}/v1`, MISTRAL_API_KEY: 'mk', MODEL: 'voxtral' },
    })
    engine.script({ body: JSON.stringify({ audio_data: mp3.toString('base64') }) })
    expect((await say({ input: 'Salut', voice: 'jane' })).text).toBe(mp3.toString())
    expect(JSON.parse(engine.lastCall().bytes.toString())).toEqual({
      model: 'voxtral',
      input: 'Salut',
      voice_id: 'jane',
      response_format: 'mp3',
    })

    await configure({ tts: { ENGINE: 'elevenlabs', ELEVENLABS_BASE_URL: `${engine.url}/v1`, API_KEY: 'ek' } })
    engine.script({ type: 'audio/mpeg', body: mp3 })
    expect((await say({ input: 'Hi', voice: 'a/b', speed: 1.5 })).status).toBe(200)
    expect(engine.lastCall().path).toBe('/v1/text-to-speech/a%2Fb')
    expect(engine.lastCall().headers['xi-api-key']).toBe('ek')
    expect(JSON.parse(engine.lastCall().bytes.toString())).toEqual({
      text: 'Hi',
      model_id: 'voxtral',
      voice_settings: { speed: 1.5 },
    })

    await configure({ tts: { ENGINE: 'azure', AZURE_BASE_URL: engine.url } })
    expect((await say({ input: 'a < b & "c"', voice: 'de-DE-KatjaNeural' })).status).toBe(200)
    expect(engine.lastCall().headers).toMatchObject({
      'ocp-apim-subscription-key': 'ek',
      'x-microsoft-outputformat': 'audio-24khz-160kbitrate-mono-mp3',
      'content-type': 'application/ssml+xml',
    })
    expect(engine.lastCall().bytes.toString()).toContain(
      'xml:lang="de-DE"><voice name="de-DE-KatjaNeural">a &lt; b &amp; &quot;c&quot;</voice>',
    )
  })

  it('keeps nothing that is not audio', async () => {
    await configure({ tts: { ENGINE: 'compat' } })
    engine.script({ body: '{"error":"out of credit"}' })
    expect(await say({ input: 'fails' })).toMatchObject({ status: 502, body: { code: 'speech_engine_failed' } })
    engine.script({ type: 'audio/mpeg', body: mp3 })
    expect((await say({ input: 'fails' })).status).toBe(200)
  })

  it('prefers what the person chose over what the administrator chose', async () => {
    await ana.patch('/api/v1/audio/preferences', { voice: 'nova', speed: 1.25 })
    await say({ input: 'in my voice' })
    expect(JSON.parse(engine.lastCall().bytes.toString())).toMatchObject({ voice: 'nova', speed: 1.25 })
  })
})

describe('speech by an engine on another server', () => {
  it('counts towards usage: what the engine reports, else the words; what is kept already costs nothing', async () => {
    await configure({
      stt: { ENGINE: 'compat', MODEL: 'ears' },
      tts: { ENGINE: 'compat', COMPAT_API_BASE_URL: `${engine.url}/v1`, MODEL: 'mouth' },
    })
    engine.script({
      body: JSON.stringify({ text: 'a', usage: { type: 'tokens', input_tokens: 14, output_tokens: 45 } }),
    })
    await transcribe()
    engine.script({ body: JSON.stringify({ text: 'Eight ch', usage: { type: 'duration', seconds: 9 } }) })
    await uploadBytes(ana, wav, { name: 'talk.wav', type: 'audio/wav', query: 'process_in_background=false' })
    engine.script({ status: 500, body: '' })
    await transcribe()
    const heard = { requests: 3, failures: 1, promptTokens: 14, completionTokens: 47 }
    await expect.poll(() => usedBy(ana, 'ears')).toEqual(heard)
    engine.script({ type: 'audio/mpeg', body: mp3 })
    for (let times = 0; times < 2; times += 1) await ana.post('/api/v1/audio/speech', { input: 'Twelve chars' })
    const spoken = { requests: 1, failures: 0, promptTokens: 3, completionTokens: 0 }
    await expect.poll(() => usedBy(ana, 'mouth')).toEqual(spoken)
  })

  it('counts as usual where the caller did not wait for the answer, which the engine charges for all the same', async () => {
    await configure({ stt: { ENGINE: 'compat', COMPAT_API_BASE_URL: `${engine.url}/v1`, MODEL: 'ears' } })
    const eve = await app.user()
    engine.script({ isSilent: true, body: '' })
    const before = engine.calls.length
    const leaving = new AbortController()
    const reply = transcribe({ by: eve, signal: leaving.signal }).catch(() => 'left')
    await expect.poll(() => engine.calls.length).toBe(before + 1)
    leaving.abort()
    expect(await reply).toBe('left')
    const counted = { requests: 1, failures: 0, promptTokens: 0, completionTokens: 1000 }
    await expect.poll(() => usedBy(eve, 'ears')).toEqual(counted)
  })

  it('is refused with the reason where a budget is spent, before the engine is asked; a file says so too', async () => {
    const bob = await app.user()
    await owner.post('/api/v1/usage/limits', { subject_type: 'user', subject_id: bob.id, tokens_per_day: 1 })
    engine.script({ type: 'audio/mpeg', body: mp3 })
    expect((await bob.post('/api/v1/audio/speech', { input: 'The first words' })).status).toBe(200)
    const before = engine.calls.length
    const refused = await bob.post('/api/v1/audio/speech', { input: 'Other words' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'usage_limit_reached' } })
    const upload = { name: 'talk.wav', type: 'audio/wav', query: 'process_in_background=false' }
    const { body } = await uploadBytes(bob, wav, upload)
    expect(body.data).toMatchObject({ status: 'failed', error: expect.stringContaining('is used up') })
    expect(engine.calls.length).toBe(before)
    await configure({ stt: { MODEL: null }, tts: { MODEL: null } })
  })
})

describe('the official SDK at the documented base address', () => {
  it('transcribes and speaks', async () => {
    const sdk = new OpenAI({ baseURL: `${app.url}/api`, apiKey: ana.token, maxRetries: 0 })
    await configure({ stt: { ENGINE: 'compat' }, tts: { ENGINE: 'compat' } })
    engine.script({ body: JSON.stringify({ text: 'heard' }) })
    const heard = await sdk.audio.transcriptions.create({ file: await toFile(wav, 'a.wav'), model: 'whisper-1' })
    expect(heard.text).toBe('heard')
    engine.script({ type: 'audio/mpeg', body: mp3 })
    const spoken = await sdk.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'from the SDK' })
    expect(Buffer.from(await spoken.arrayBuffer()).equals(mp3)).toBe(true)
  })
})

describe('the certificate of an engine', () => {
  it('is checked unless HTTP_CLIENT_SESSION_SSL is false', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'speech-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { keyFile, certFile } = await makeCertificates(folder)
    const read = (file: string) => readFile(file, 'utf8')
    const untrusted = await startSpeechEngine({ key: await read(keyFile), cert: await read(certFile) })
    untrusted.script({ type: 'audio/mpeg', body: mp3 })
    await configure({ tts: { ENGINE: 'compat', COMPAT_API_BASE_URL: untrusted.url } })
    const checked = await ana.post('/api/v1/audio/speech', { input: 'checked' })
    expect(checked).toMatchObject({ status: 502, body: { code: 'outbound_failed' } })
    expect(untrusted.calls).toHaveLength(0)

    const env = {
      HTTP_CLIENT_SESSION_SSL: 'False',
      AUDIO_TTS_ENGINE: 'compat',
      AUDIO_TTS_COMPAT_API_BASE_URL: untrusted.url,
    }
    const careless = await testApp({ env })
    const bob = await careless.user()
    expect((await bob.post('/api/v1/audio/speech', { input: 'unchecked' })).status).toBe(200)
  })
})

describe('the configuration', () => {
  it('shows no key, takes its own reply back unchanged, and refuses unknown fields and engines', async () => {
    const shown = await owner.get('/api/v1/audio/config')
    expect(shown.text).not.toMatch(/sk-|"ek"|"mk"/)
    expect(shown.body.tts.COMPAT_API_KEY).toEqual({ isSet: true })
    const { AZURE_REGION: _region, MODEL: _model, COMPAT_API_BASE_URL: _url, ...stt } = shown.body.stt
    expect((await configure({ stt: { ENGINE: stt.ENGINE, COMPAT_API_KEY: stt.COMPAT_API_KEY } })).body).toEqual(
      shown.body,
    )
    expect(await configure({ stt: { ENGINE: 'gramophone' } })).toMatchObject({ status: 422 })
    expect(await configure({ stt: { TUBE: 'x' } })).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect((await ana.get('/api/v1/audio/config')).status).toBe(403)
  })
})
