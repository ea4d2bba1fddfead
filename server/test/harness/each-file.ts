/** Runs once for each test file, before it is read. */
import { afterAll, beforeAll } from 'vitest'
import { beginFile, beginTests, endFile } from './at-end.ts'

beginFile()
beforeAll(beginTests)
afterAll(endFile)
