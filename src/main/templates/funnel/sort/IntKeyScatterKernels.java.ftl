<#-- The scatter of a radix sort's ints that are alone, unrolled: 128 threads of 32 keys, 128 digits. -->
<#assign items = 32 threads = 128 pitch = threads + 1 groups = threads / 8 groupPitch = threads + 2>
<#macro move array>
<#list 0..<items / 16 as part>
<#list part * 16..<part * 16 + 16 as k>
        int v${k} = <#if array == "input">KeyWords.ofInput(input.get(from + ${k * threads}), turned)<#else>${array}.get(from + ${k * threads})</#if>;
</#list>
<#list part * 16..<part * 16 + 16 as k>
        tile[slot + ${k * 4}] = v${k};
</#list>
</#list>
</#macro>
<#macro store array>
<#list 0..<items as k>
        int s${k} = tile[thread + ${k * threads}];
        ${array}.set(to + ${k * threads} + offsets[((s${k} >> shift) & mask) ^ flip], <#if array == "sortedKeys">KeyWords.ofOutput(s${k}, turnedBack)<#else>s${k}</#if>);
</#list>
</#macro>

package funnel.sort;

import static funnel.sort.RadixSteps.COUNTED;
import static funnel.sort.RadixSteps.FLIP;
import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.IS_LAST;
import static funnel.sort.RadixSteps.MASK;
import static funnel.sort.RadixSteps.MOVED;
import static funnel.sort.RadixSteps.NONE;
import static funnel.sort.RadixSteps.OTHER;
import static funnel.sort.RadixSteps.OUTPUT;
import static funnel.sort.RadixSteps.SHIFT;
import static funnel.sort.RadixSteps.TO;

import funnel.block.BlockScan;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** How ints that are alone are ranked by a digit and moved, in the device form of a {@link RadixSort}. */
final class IntKeyScatterKernels {

  private IntKeyScatterKernels() {}

  static void scatter(
      KernelContext context,
      IntArray shape,
      IntArray input,
      IntArray otherKeys,
      IntArray sortedKeys,
      IntArray steps,
      IntArray starts,
      IntArray totals,
      IntArray done,
      int shapeAt,
      int doneAt,
      int turned) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int tiles = shape.get(shapeAt + 1);
    int pass = steps.get(MOVED);
    int step = RadixSteps.at(pass);
    int keysFrom = steps.get(step);
    if (block < tiles & keysFrom != NONE) {
      int length = shape.get(shapeAt);
      int first = block * ${threads * items} - shape.get(shapeAt + RadixSort.LEAD);
      int left = length - first;
      int lead = Scalars.max(0 - first, 0);
      int isFull = left >= ${threads * items} & lead == 0 ? 1 : 0;
      int shift = steps.get(step + SHIFT);
      int mask = steps.get(step + MASK);
      int flip = steps.get(step + FLIP);
      int turnedBack = steps.get(step + IS_LAST) == 1 ? turned : KeyWords.NOT_TURNED;
      int keysTo = steps.get(step + TO);
      int total = totals.get(thread);
      int start = starts.get(thread * tiles + block);
      int from = IntRadixKernels.offset(shape, shapeAt + RadixSort.IN_INPUT, keysFrom) + first + thread;
      int[] tile = context.allocateIntLocalArray(${items * pitch});
      int[] groups = context.allocateIntLocalArray(${groups * groupPitch});
      int[] offsets = context.allocateIntLocalArray(${threads});
      int[] places = context.allocateIntLocalArray(${items / 2 * threads});
      int column = thread ^ (thread / 32);
      int slot = (thread & 31) * ${pitch} + thread / 32;
      if (isFull == 1 & keysFrom == INPUT) {
<@move "input"/>
      }
      if (isFull == 1 & keysFrom == OTHER) {
<@move "otherKeys"/>
      }
      if (isFull == 1 & keysFrom == OUTPUT) {
<@move "sortedKeys"/>
      }
      if (isFull == 0) {
        int lowest = flip << shift;
        int highest = (mask ^ flip) << shift;
        for (int k = 0; k < ${items}; k++) {
          int item = k * ${threads} + thread;
          int inside = Scalars.max(Scalars.min(item, left - 1), lead) - thread;
          int key = IntRadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, from + inside);
          int inTile = item < left ? key : highest;
          tile[slot + k * 4] = item < lead ? lowest : inTile;
        }
      }
      int digitStart = BlockScan.exclusiveSum(context, thread, ${threads}, total);
      offsets[thread] = digitStart + start;
      context.localBarrier();
<#list 0..<items as k>
      int k${k} = tile[thread + ${k * pitch}];
</#list>
      context.localBarrier();
<#list 0..<32 as row>
      tile[column + ${row * threads}] = 0;
</#list>
<#list 0..<items as k>
      int d${k} = ((k${k} >> shift) & mask) ^ flip;
      int a${k} = (d${k} & 31) * ${threads} + column;
      int b${k} = (d${k} >> 2) & 24;
      int w${k} = tile[a${k}];
      tile[a${k}] = w${k} + (1 << b${k});
      int l${k} = <#if k % 6 == 0><#else>l${k - 1} | </#if>(((w${k} >> b${k}) & 31) << ${k % 6 * 5});
<#if k % 6 == 5 || k == items - 1>
      places[thread + ${((k / 6)?int + 10) * threads}] = l${k};
</#if>
</#list>
      int zero = Scalars.min(length, 0);
      context.localBarrier();
      int odd = thread & 1;
      int group = thread / 2 & 15;
<#list 0..<4 as r>
      int row${r} = thread / 32 * 2 + ${r * 8} + odd;
      int at${r} = (row${r} * ${threads} + 8 * group + group / 4) ^ (4 * odd);
<#list 0..<8 as c>
      int c${r}x${c} = tile[at${r} ^ ${c}];
</#list>
      int lower${r}x2 = c${r}x0 + c${r}x1;
      int lower${r}x3 = lower${r}x2 + c${r}x2;
      int lower${r} = lower${r}x3 + c${r}x3;
      int upper${r}x2 = c${r}x4 + c${r}x5;
      int upper${r}x3 = upper${r}x2 + c${r}x6;
      int upper${r} = upper${r}x3 + c${r}x7;
      int beforeLower${r} = upper${r} * odd;
      int beforeUpper${r} = lower${r} * (1 - odd);
      tile[at${r}] = beforeLower${r};
      tile[at${r} ^ 1] = beforeLower${r} + c${r}x0;
      tile[at${r} ^ 2] = beforeLower${r} + lower${r}x2;
      tile[at${r} ^ 3] = beforeLower${r} + lower${r}x3;
      tile[at${r} ^ 4] = beforeUpper${r};
      tile[at${r} ^ 5] = beforeUpper${r} + c${r}x4;
      tile[at${r} ^ 6] = beforeUpper${r} + upper${r}x2;
      tile[at${r} ^ 7] = beforeUpper${r} + upper${r}x3;
      int evenBytes${r} = (lower${r} & 0x00ff00ff) + (upper${r} & 0x00ff00ff);
      int oddBytes${r} = ((lower${r} >> 8) & 0x00ff00ff) + ((upper${r} >> 8) & 0x00ff00ff);
      int to${r} = group * ${groupPitch} + row${r};
      groups[to${r}] = evenBytes${r} & 0xffff;
      groups[to${r} + 32] = oddBytes${r} & 0xffff;
      groups[to${r} + 64] = (evenBytes${r} >> 16) & 0xffff;
      groups[to${r} + 96] = (oddBytes${r} >> 16) & 0xffff;
</#list>
      context.localBarrier();
      int sum = 0;
<#list 0..<groups as g>
      sum = sum + groups[thread + ${g * groupPitch}];
</#list>
      int digitAgain = thread + zero;
      int lower = BlockScan.exclusiveSum(context, digitAgain, ${threads}, sum);
      int running = lower;
<#list 0..<groups as g>
      int g${g} = groups[digitAgain + ${g * groupPitch}];
      groups[digitAgain + ${g * groupPitch}] = running;
      running = running + g${g};
</#list>
      int ahead = thread == 0 ? lead : 0;
      offsets[thread] = offsets[thread] - lower - ahead;
      context.localBarrier();
      int shiftAgain = shift + zero;
      int columnAgain = column + zero;
      int ofGroup = thread / 8 * ${groupPitch};
<#list 0..<items as k>
<#if k % 6 == 0>
      int m${(k / 6)?int} = places[thread + ${((k / 6)?int + 10) * threads}];
</#if>
      int e${k} = ((k${k} >> shiftAgain) & mask) ^ flip;
      int x${k} = tile[(e${k} & 31) * ${threads} + columnAgain];
      int r${k} = groups[ofGroup + e${k}] + ((x${k} >> ((e${k} >> 2) & 24)) & 0xff) + ((m${(k / 6)?int} >> ${k % 6 * 5}) & 31);
<#if k % 2 == 1>
      places[thread + ${(k - 1) / 2 * threads}] = r${k - 1} | (r${k} << 16);
</#if>
</#list>
      context.localBarrier();
<#list 0..<items / 2 as k>
      int p${k} = places[thread + ${k * threads}];
      tile[p${k} & 0xffff] = k${2 * k};
      tile[(p${k} >> 16) & 0xffff] = k${2 * k + 1};
</#list>
      context.localBarrier();
      int to = IntRadixKernels.offset(shape, shapeAt + RadixSort.IN_INPUT, keysTo) + thread;
      if (isFull == 1 & keysTo == OTHER) {
<@store "otherKeys"/>
      }
      if (isFull == 1 & keysTo == OUTPUT) {
<@store "sortedKeys"/>
      }
      if (isFull == 0) {
        for (int k = 0; k < ${items}; k++) {
          int item = k * ${threads} + thread;
          int key = tile[item];
          int at = to + k * ${threads} + offsets[((key >> shift) & mask) ^ flip];
          if (item >= lead & item < left & keysTo == OTHER) {
            otherKeys.set(at, key);
          }
          if (item >= lead & item < left & keysTo == OUTPUT) {
            sortedKeys.set(at, KeyWords.ofOutput(key, turnedBack));
          }
        }
      }
    }
    if (thread == 0 & block == 0) {
      steps.set(COUNTED, pass + 1);
      if (pass + 1 == shape.get(shapeAt + RadixSort.PASSES)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }
}
