/** Where a model runs, and models side by side. */
import { describe, expect, it } from 'vitest';
import { contextShape, engineSystem, openModel } from '../../src/model/index.ts';
import { plantedFiles } from '../e2e/planted.ts';

describe('an open model', () => {
  it('says what runs it: the CPU, or the accelerators that there are', async () => {
    const { model: path } = await plantedFiles();
    await using cpu = await openModel(path, { threads: 1, device: 'cpu' });
    expect(cpu.info.devices).toEqual(['CPU']);
    await using chosen = await openModel(path, { threads: 1, device: 'auto' });
    await using byItself = await openModel(path, { threads: 1 });
    const there = engineSystem()
      .devices.filter(({ kind }) => kind === 'gpu' || kind === 'igpu')
      .map(({ name }) => name);
    expect(chosen.info.devices).toEqual(byItself.info.devices);
    for (const name of chosen.info.devices) expect(there.length === 0 ? ['CPU'] : there).toContain(name);
    for (const name of there) {
      await using one = await openModel(path, { threads: 1, device: name });
      expect(one.info.devices).toEqual([name]);
    }
  });

  it('runs beside another, each in a process of its own', async () => {
    const { model: path } = await plantedFiles();
    await using one = await openModel(path, { threads: 1, device: 'cpu' });
    await using other = await openModel(path, { threads: 1, device: 'auto' });
    expect(one.pid).not.toBe(other.pid);
    const requests = Array.from({ length: 300 }, (_, index) => ({
      kind: 'probe' as const,
      text: `The nurse said that ${index % 2 === 0 ? 'she' : 'he'} said`,
    }));
    const measure = { groups: [Int32Array.of(5, 6)], topK: 3 };
    const rowsOf = async (model: typeof one) => {
      const masses: number[] = [];
      for await (const { rows } of model.observe(requests, measure)) masses.push(...rows.masses);
      return masses;
    };
    const [first, second] = await Promise.all([rowsOf(one), rowsOf(other)]);
    expect(first.length).toBe(300);
    if (other.info.devices[0] === 'CPU') expect(second).toEqual(first);
    else expect(Math.max(...second.map((mass, index) => Math.abs(mass - first[index]!)))).toBeLessThan(1e-4);
  });

  it('has the context that its shape says without it', async () => {
    const { model: path, planted } = await plantedFiles();
    for (const contextLength of [undefined, 100]) {
      const options = { device: 'cpu', ...(contextLength === undefined ? {} : { contextLength }) };
      await using model = await openModel(path, { threads: 1, ...options });
      const { trainedContextLength } = model.info;
      const shape = contextShape(options, {
        vocabSize: planted.vocabulary.tokens.length,
        trainedContextLength,
      });
      expect(shape.contextLength).toBe(model.info.contextLength);
    }
  });
});
