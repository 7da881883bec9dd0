/** Where a model runs, and models side by side. */
import { describe, expect, it } from 'vitest';
import { contextShape, engineSystem, openModel } from '../../src/model/index.ts';
import { LocalModel } from '../../src/model/llama/local.ts';
import { openInProcess } from '../../src/native/in-process.ts';
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

  it('shares its windows between devices that hold it once each, and gives what one gives', async () => {
    const { model: path } = await plantedFiles();
    await using alone = await openModel(path, { threads: 1, device: 'cpu' });
    await using shared = await openModel(path, { threads: 1, device: 'cpu, cpu,cpu' });
    expect(shared.info).toEqual({ ...alone.info, devices: ['CPU', 'CPU', 'CPU'] });
    expect([alone.windowsAtOnce, shared.windowsAtOnce]).toEqual([2, 6]);
    // Windows of 128: seven, the last one of 32.
    const requests = Array.from({ length: 800 }, (_, index) => ({
      kind: 'probe' as const,
      text: `${'The nurse said that '.repeat(1 + (index % 7))}${index % 2 === 0 ? 'she' : 'he'} said`,
    }));
    const observed = async (model: typeof alone) => {
      const windows: unknown[] = [];
      for await (const window of model.observe(requests, { groups: [Int32Array.of(5, 6)], topK: 3 })) {
        windows.push(window);
      }
      return windows;
    };
    const [one, several] = [await observed(alone), await observed(shared)];
    expect(one.length).toBe(7);
    expect(several).toEqual(one);
    const tokens = await alone.tokenize('The nurse said');
    expect(await shared.tokenize('The nurse said')).toEqual(tokens);
    await shared.close();
    await expect(shared.observeWindow([], { groups: [] })).rejects.toMatchObject({ code: 'engine_closed' });
  });

  it('is not opened on a list of devices with a gap, an unknown one, or two ways of reducing logits', async () => {
    const { model: path } = await plantedFiles();
    await expect(openModel(path, { device: 'cpu,' })).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('no name beside one of its commas'),
    });
    await expect(openModel(path, { device: 'cpu,CUDA7' })).rejects.toMatchObject({ code: 'bad_argument' });
    const [graph, cpu] = await Promise.all(
      (['graph', 'cpu'] as const).map((metricsImpl) =>
        openInProcess(path, { device: 'cpu', threads: 1, metricsImpl }),
      ),
    );
    expect(() => new LocalModel([graph!, cpu!])).toThrow('reduce logits alike');
    await Promise.all([graph!.close(), cpu!.close()]);
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
